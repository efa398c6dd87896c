# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "tf_keras==2.21.*"]
#
# [tool.tfhelp]
# timeout = 90
# workers = 2
# env = {TF_USE_LEGACY_KERAS = "1"}
# ///
import json
import os

import numpy as np
import tensorflow as tf

given = json.loads(os.environ["TF_CONFIG"])
workers, rank = given["cluster"]["worker"], given["task"]["index"]

os.environ["TF_CONFIG"] = json.dumps({"cluster": {"worker": workers}, "task": {"type": "worker", "index": 0}})
strategy = tf.distribute.MultiWorkerMirroredStrategy()

features = np.random.default_rng(0).normal(size=(64, 8)).astype("float32")
options = tf.data.Options()
options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
batches = tf.data.Dataset.from_tensor_slices((features, features.sum(axis=1))).batch(16).with_options(options)

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(8,))])
    model.compile(optimizer="sgd", loss="mse")
model.fit(batches, epochs=2, verbose=2)
