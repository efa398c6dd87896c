# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np


class Scale(keras.layers.Layer):
    def __init__(self, factors, **settings):
        super().__init__(**settings)
        self.factors = factors

    def call(self, inputs):
        return inputs * keras.ops.convert_to_tensor(self.factors, "float32")

    def get_config(self):
        # --- shown
        return {**super().get_config(), "factors": [float(f) for f in self.factors]}


# --- end
assert Scale(np.array([0.5, 2.0])).get_config()["factors"] == [0.5, 2.0]
model = keras.Sequential([keras.Input((2,)), Scale(np.array([0.5, 2.0]))])
model.save("scaled.keras")
