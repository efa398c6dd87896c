# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

images = np.random.default_rng(0).random((16, 32, 32, 3)).astype("float32")
labels = keras.utils.to_categorical(np.arange(16) % 5)
model = keras.Sequential([keras.Input((32, 32, 3)), keras.layers.Conv2D(8, 3, strides=4, activation="relu")])
# --- shown
model.add(keras.layers.Dense(5, activation="softmax"))
# --- end
model.compile(optimizer="adam", loss="categorical_crossentropy")
model.fit(images, labels, epochs=1)
