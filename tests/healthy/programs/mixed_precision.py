# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
"""Mixed precision as the processor can do it."""

import keras
import numpy as np

keras.mixed_precision.set_global_policy("mixed_bfloat16")
features = np.random.default_rng(0).normal(size=(64, 8)).astype("float32")
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1, dtype="float32")])
model.compile(optimizer="adam", loss="mse")
model.fit(features, features.sum(axis=1), epochs=3, verbose=2)
print("compute dtype:", model.layers[0].compute_dtype, "variables:", model.layers[0].variable_dtype)
