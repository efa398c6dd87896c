# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
"""Everything in double precision."""

import keras
import numpy as np

keras.config.set_floatx("float64")
features = np.random.default_rng(0).normal(size=(64, 8))
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
model.compile(optimizer="rmsprop", loss="huber")
model.fit(features, features.sum(axis=1), epochs=2, verbose=2)
print("dtype:", model.layers[0].kernel.dtype)
