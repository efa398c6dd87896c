# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
"""A functional model with two outputs and weighted losses."""

import keras
import numpy as np

rng = np.random.default_rng(0)
features = rng.normal(size=(64, 8)).astype("float32")
inputs = keras.Input((8,), name="features")
hidden = keras.layers.Dense(16, activation="relu")(inputs)
total = keras.layers.Dense(1, name="total")(hidden)
kind = keras.layers.Dense(3, activation="softmax", name="kind")(hidden)
model = keras.Model(inputs, {"total": total, "kind": kind})
model.compile(
    optimizer="adam",
    loss={"total": "mse", "kind": "sparse_categorical_crossentropy"},
    loss_weights={"total": 0.5, "kind": 1.0},
    metrics={"kind": ["accuracy"]},
)
model.fit(features, {"total": features.sum(axis=1), "kind": rng.integers(0, 3, 64)}, epochs=2, verbose=2)
