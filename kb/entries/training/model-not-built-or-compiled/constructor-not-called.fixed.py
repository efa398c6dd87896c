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
class Scale(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.dense = keras.layers.Dense(units)

    def call(self, inputs):
        return self.dense(inputs) / 2


# --- end
model = keras.Sequential([keras.Input((4,)), Scale(3)])
result = model(np.ones((2, 4)))
assert result.shape == (2, 3)
