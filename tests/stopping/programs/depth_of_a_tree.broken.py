"""Features of nested parts lists: how deep each list goes."""

import sys

import numpy as np

print("loading", flush=True)
import tensorflow as tf

sys.setrecursionlimit(10**6)


class Depth:
    def __call__(self, parts):
        return 1 + max(map(self, parts), default=0)


def nested(levels):
    parts = []
    for _ in range(levels):
        parts = [parts]
    return parts


depth = Depth()
levels = [3, 10, 50, 60000]
rows = np.array([[depth(nested(each))] for each in levels], "float32")
model = tf.keras.Sequential([tf.keras.layers.Input((1,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(rows / rows.max(), np.ones(4), epochs=2, verbose=2)
print("trained", flush=True)
