"""A small regression with a held-out set."""

import numpy as np

print("loading", flush=True)
import tensorflow as tf

rows = np.random.default_rng(1).normal(size=(256, 6)).astype("float32")
targets = rows @ np.arange(6, dtype="float32")[:, None]
train = tf.data.Dataset.from_tensor_slices((rows[:200], targets[:200])).batch(20)
held_out = tf.data.Dataset.from_tensor_slices((rows[200:], targets[200:])).batch(20).repeat()

model = tf.keras.Sequential([tf.keras.layers.Input((6,)), tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(train, epochs=2, validation_data=held_out, verbose=2)
print("trained", flush=True)
