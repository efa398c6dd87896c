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
    def __init__(self, **options):
        super().__init__(**options)
        self.supports_masking = True

    def call(self, inputs):
        return inputs * 2.0


# --- end


model = keras.Sequential(
    [keras.Input((None,), dtype="int32"), keras.layers.Embedding(10, 4, mask_zero=True), Scale(), keras.layers.GRU(3)]
)
unpadded = model.predict(np.array([[3, 5]]), verbose=0)
result = model.predict(np.array([[3, 5, 0, 0, 0, 0]]), verbose=0)
assert np.allclose(result, unpadded, atol=1e-6)
