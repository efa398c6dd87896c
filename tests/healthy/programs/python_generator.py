# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
"""A generator with a declared signature that never ends, and steps that bound it."""

import keras
import numpy as np
import tensorflow as tf


def batches():
    rng = np.random.default_rng(0)
    while True:
        features = rng.normal(size=(16, 4)).astype("float32")
        yield features, features.sum(axis=1)


signature = (tf.TensorSpec((16, 4), tf.float32), tf.TensorSpec((16,), tf.float32))
data = tf.data.Dataset.from_generator(batches, output_signature=signature)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(data, steps_per_epoch=10, epochs=2, verbose=2)
