"""Only rows of class 7 are wanted, over and over."""

import numpy as np

print("loading", flush=True)
import tensorflow as tf

rows = np.random.default_rng(6).normal(size=(300, 5)).astype("float32")
classes = np.arange(300) % 8
data = tf.data.Dataset.from_tensor_slices((rows, classes)).repeat().filter(lambda row, kind: kind == 7).batch(16)
model = tf.keras.Sequential([tf.keras.layers.Input((5,)), tf.keras.layers.Dense(8, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(data, steps_per_epoch=10, epochs=1, verbose=2)
print("trained", flush=True)
