# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# observed = true
# exit = 0
# ///
import keras
import numpy as np

keras.utils.set_random_seed(0)
labels = np.random.default_rng(0).integers(0, 10, 600)
features = np.eye(10, dtype="float32")[labels]
model = keras.Sequential(
    [
        keras.Input((10,)),
        keras.layers.Dense(32, activation="relu"),
        # --- shown
        keras.layers.Dense(10),
        # --- end
    ]
)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
history = model.fit(features, labels, epochs=15, verbose=2)
