# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import os

import keras
import numpy as np

features = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
labels = (features.sum(axis=1, keepdims=True) > 0).astype("float32")
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, activation="sigmoid")])
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
# --- shown
best = keras.callbacks.ModelCheckpoint(
    "best.keras", monitor="val_accuracy", mode="max", save_best_only=True, initial_value_threshold=0.0, verbose=1
)
# --- end
model.fit(features, labels, validation_split=0.25, epochs=4, verbose=2, callbacks=[best])
assert os.path.exists("best.keras")
