# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np
import tensorflow as tf

images = np.random.default_rng(0).random((320, 28, 28)).astype("float32")
labels = np.arange(320) % 10
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")

# --- shown
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(320)
# --- end
model.fit(dataset, epochs=1)
