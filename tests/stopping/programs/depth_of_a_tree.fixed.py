"""Features of nested parts lists: how deep each list goes."""

import numpy as np

print("loading", flush=True)
import tensorflow as tf


def depth(parts):
    deepest, level = 0, [parts]
    while level:
        deepest, level = deepest + 1, [part for each in level for part in each]
    return deepest


def nested(levels):
    parts = []
    for _ in range(levels):
        parts = [parts]
    return parts


levels = [3, 10, 50, 60000]
rows = np.array([[depth(nested(each))] for each in levels], "float32")
model = tf.keras.Sequential([tf.keras.layers.Input((1,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(rows / rows.max(), np.ones(4), epochs=2, verbose=2)
print("trained", flush=True)
