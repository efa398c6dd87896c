# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "tf_keras==2.21.*"]
#
# [tool.tfhelp]
# timeout = 60
# workers = 2
# env = {TF_USE_LEGACY_KERAS = "1"}
# ///
import json
import os

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()

rows = np.random.default_rng(0).normal(size=(64, 8)).astype("float32")
path = f"train-{json.loads(os.environ['TF_CONFIG'])['task']['index']}.tfrecord"  # the same single file on each machine
with tf.io.TFRecordWriter(path) as writer:
    for row in rows:
        writer.write(tf.io.serialize_tensor(row).numpy())


def parse(record):
    row = tf.ensure_shape(tf.io.parse_tensor(record, tf.float32), (8,))
    return row, tf.reduce_sum(row)


# --- shown
options = tf.data.Options()
options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
batches = tf.data.TFRecordDataset(path).map(parse).batch(16).with_options(options)
# --- end

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(8,))])
    model.compile(optimizer="sgd", loss="mse")
assert batches.options().experimental_distribute.auto_shard_policy.name == "DATA"
model.fit(batches, epochs=2, verbose=2)
