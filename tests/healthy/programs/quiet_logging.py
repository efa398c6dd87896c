# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# env = {TF_CPP_MIN_LOG_LEVEL = "2", TF_ENABLE_ONEDNN_OPTS = "0"}
# ///
"""Warnings of the runtime switched off."""

import keras
import numpy as np

features = np.random.default_rng(0).normal(size=(64, 8))
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mae", metrics=["mean_absolute_percentage_error"])
model.fit(features, features.sum(axis=1), epochs=3, verbose=2)
