# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import keras
import keras_tuner

parameters = keras_tuner.HyperParameters()
units = parameters.Int("units", min_value=8, max_value=32, step=8)
layer = keras.layers.Dense(units)
