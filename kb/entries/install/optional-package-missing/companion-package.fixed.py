# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow-cpu==2.21.*", "keras-tuner", "pillow", "pydot", "tensorboard"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import importlib.metadata

import keras

# --- shown
import keras_tuner

print(importlib.metadata.version("keras-tuner"))
# --- end
parameters = keras_tuner.HyperParameters()
units = parameters.Int("units", min_value=8, max_value=32, step=8)
layer = keras.layers.Dense(units)
assert layer.units == 8
