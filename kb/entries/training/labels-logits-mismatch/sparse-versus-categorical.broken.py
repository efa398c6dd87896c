# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

features = np.random.default_rng(0).normal(size=(320, 16)).astype("float32")
labels = np.arange(320) % 10
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(10, activation="softmax")])

# --- shown
loss = "categorical_crossentropy"
# --- end
model.compile(optimizer="adam", loss=loss, metrics=["accuracy"])
history = model.fit(features, labels, epochs=1)
