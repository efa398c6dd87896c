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

images = np.random.default_rng(0).random((64, 28, 28, 1)).astype("float32")
labels = np.arange(64) % 10
model = keras.Sequential(
    [keras.Input((28, 28, 1)), keras.layers.Conv2D(4, 3), keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")]
)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")

# --- shown
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(64).batch(32)
# --- end
assert dataset.element_spec[0].shape.rank == 4
model.fit(dataset, epochs=1)
