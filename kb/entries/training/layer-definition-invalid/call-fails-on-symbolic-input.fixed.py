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
        length = keras.ops.cast(keras.ops.shape(inputs)[1], inputs.dtype)
        return inputs / keras.ops.sqrt(length)


# --- end
inputs = keras.Input((None, 8))  # sequences of any length
model = keras.Model(inputs, ScaleByLength()(inputs))
assert np.allclose(model.predict(np.ones((1, 4, 8)), verbose=0), 0.5)
