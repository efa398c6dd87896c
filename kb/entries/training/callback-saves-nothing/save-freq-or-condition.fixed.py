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

keras.utils.set_random_seed(0)
features = np.random.default_rng(0).normal(size=(400, 8)).astype("float32")
labels = (features.sum(axis=1) > 0).astype("float32")
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1, activation="sigmoid")])
model.compile(optimizer=keras.optimizers.Adam(0.02), loss="binary_crossentropy", metrics=["accuracy"])
# --- shown
best = keras.callbacks.ModelCheckpoint(
    "best.keras",
    monitor="val_accuracy",
    mode="max",
    save_best_only=True,
    initial_value_threshold=0.0,
    verbose=1,
)
# --- end
model.fit(features, labels, validation_split=0.25, epochs=4, callbacks=[best], verbose=2)
assert os.path.exists("best.keras")
