# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import keras
import numpy as np


# --- shown
class Scale(keras.layers.Layer):
    def call(self, inputs):
        return inputs * 2.0


# --- end


model = keras.Sequential(
    [keras.Input((None,), dtype="int32"), keras.layers.Embedding(10, 4, mask_zero=True), Scale(), keras.layers.GRU(3)]
)
result = model.predict(np.array([[3, 5, 0, 0, 0, 0]]), verbose=0)
