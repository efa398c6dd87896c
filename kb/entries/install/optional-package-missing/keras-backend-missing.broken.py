# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import os

os.environ["KERAS_BACKEND"] = "jax"

import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
