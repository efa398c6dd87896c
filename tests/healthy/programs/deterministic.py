# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
"""Seeds and deterministic operations."""

import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(7)
tf.config.experimental.enable_op_determinism()
features = np.random.default_rng(0).normal(size=(64, 8)).astype("float32")
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(8), keras.layers.Dropout(0.5), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(features, features.sum(axis=1), epochs=2, verbose=2, shuffle=True)
print("devices:", tf.config.list_physical_devices())
print("gpus:", tf.config.list_physical_devices("GPU"))
