"""The trained model scores four parts of the data."""

import numpy as np

print("training", flush=True)
import tensorflow as tf

rows = np.random.default_rng(3).normal(size=(400, 10)).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Input((10,)), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")


def score(part):
    return float(np.mean(model.predict(part, verbose=0)))


if __name__ == "__main__":
    model.fit(rows, rows.sum(axis=1), epochs=1, verbose=2)
    print("scores", [score(part) for part in np.array_split(rows, 4)], flush=True)
