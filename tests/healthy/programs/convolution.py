# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
"""A small image classifier with the progress bar as it comes."""

import keras
import numpy as np

rng = np.random.default_rng(0)
images = rng.random((128, 28, 28, 1), dtype="float32")
digits = rng.integers(0, 10, 128)
model = keras.Sequential(
    [
        keras.Input((28, 28, 1)),
        keras.layers.Conv2D(8, 3, activation="relu"),
        keras.layers.MaxPooling2D(),
        keras.layers.BatchNormalization(),
        keras.layers.Flatten(),
        keras.layers.Dropout(0.2),
        keras.layers.Dense(10, activation="softmax"),
    ]
)
model.summary()
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(images, digits, epochs=2, validation_split=0.25)
print("test loss and accuracy:", model.evaluate(images, digits, verbose=0))
