"""Rows go through a filter of a C library before they reach the model."""

import ctypes

import numpy as np

print("loading", flush=True)
import tensorflow as tf

library = ctypes.CDLL(None)
library.memcpy.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


def smooth(rows):
    out = np.empty_like(rows)
    library.memcpy(out.ctypes.data, rows.ctypes.data, rows.nbytes * 4096)
    return out


def batches():
    for number in range(4):
        rows = np.random.default_rng(number).normal(size=(64, 64)).astype("float32")
        yield smooth(rows), rows.sum(axis=1, keepdims=True)


signature = (tf.TensorSpec((64, 64), tf.float32), tf.TensorSpec((64, 1), tf.float32))
data = tf.data.Dataset.from_generator(batches, output_signature=signature)
model = tf.keras.Sequential([tf.keras.layers.Input((64,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(data, epochs=1, verbose=2)
print("trained", flush=True)
