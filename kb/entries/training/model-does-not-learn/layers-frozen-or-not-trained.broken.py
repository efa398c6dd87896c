# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import keras
import numpy as np

keras.utils.set_random_seed(0)
features = np.random.default_rng(0).normal(size=(200, 8)).astype("float32")
labels = (features.sum(axis=1) > 0).astype("float32")
base = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, activation="relu")])
model = keras.Sequential([base, keras.layers.Dense(1, activation="sigmoid")])
# --- shown
model.trainable = False
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
# --- end
history = model.fit(features, labels, epochs=3, verbose=2)
