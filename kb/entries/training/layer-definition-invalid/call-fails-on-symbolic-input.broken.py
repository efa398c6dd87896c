# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np


# --- shown
class ScaleByLength(keras.layers.Layer):
    def call(self, inputs):
        return inputs / np.sqrt(inputs.shape[1])


# --- end
inputs = keras.Input((None, 8))  # sequences of any length
model = keras.Model(inputs, ScaleByLength()(inputs))
