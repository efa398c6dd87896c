# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "tf_keras==2.21.*"]
#
# [tool.tfhelp]
# timeout = 90
# workers = 2
# env = {TF_USE_LEGACY_KERAS = "1", http_proxy = "http://127.0.0.1:9"}
# ///
import json
import os

import numpy as np
import tensorflow as tf

# --- shown
workers = json.loads(os.environ["TF_CONFIG"])["cluster"]["worker"]
os.environ["no_proxy"] = ",".join(worker.rpartition(":")[0] for worker in workers)  # before the strategy is made
# --- end
print({name: os.environ.get(name) for name in ("http_proxy", "no_proxy")})
strategy = tf.distribute.MultiWorkerMirroredStrategy()
assert strategy.num_replicas_in_sync == 2

features = np.random.default_rng(0).normal(size=(64, 8)).astype("float32")
options = tf.data.Options()
options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
batches = tf.data.Dataset.from_tensor_slices((features, features.sum(axis=1))).batch(16).with_options(options)

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(8,))])
    model.compile(optimizer="sgd", loss="mse")
model.fit(batches, epochs=2, verbose=2)
