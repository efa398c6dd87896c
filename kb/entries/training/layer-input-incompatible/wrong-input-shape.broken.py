# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

features = np.random.default_rng(0).normal(size=(64, 12)).astype("float32")
labels = features.sum(axis=1, keepdims=True)

# --- shown
model = keras.Sequential([keras.Input((13,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1)])
# --- end
model.compile(optimizer="adam", loss="mse")
model.fit(features, labels, epochs=1)
