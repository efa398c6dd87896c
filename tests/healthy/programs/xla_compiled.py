# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
"""A model compiled by XLA, and a function of its own."""

import keras
import numpy as np
import tensorflow as tf

features = np.random.default_rng(0).normal(size=(64, 8)).astype("float32")
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, activation="gelu"), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse", jit_compile=True)
model.fit(features, features.sum(axis=1), epochs=2, verbose=2)


@tf.function(jit_compile=True)
def norm(values):
    return tf.sqrt(tf.reduce_sum(tf.square(values)))


print("norm:", float(norm(tf.constant(features))))
