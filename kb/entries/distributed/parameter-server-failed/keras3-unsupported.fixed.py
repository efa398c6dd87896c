# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import socket

import keras
import numpy as np
import tensorflow as tf


def free_address():
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return f"localhost:{probe.getsockname()[1]}"


cluster = tf.train.ClusterSpec({"worker": [free_address()], "ps": [free_address()]})
servers = [tf.distribute.Server(cluster, job_name=job, task_index=0) for job in ("worker", "ps")]
resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(cluster, rpc_layer="grpc")
# --- shown
strategy = tf.distribute.MirroredStrategy()
# --- end
with strategy.scope():
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
dataset = tf.data.Dataset.from_tensor_slices((np.ones((32, 4), "float32"), np.ones((32, 1), "float32")))
history = model.fit(dataset.repeat().batch(8), epochs=1, steps_per_epoch=4, verbose=2)
assert len(history.history["loss"]) == 1
