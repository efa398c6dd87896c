# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np
import tensorflow as tf

keras.mixed_precision.set_global_policy("mixed_float16")


# --- shown
class Scale(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.gain = tf.constant(2.0)

    def call(self, inputs):
        return inputs * tf.cast(self.gain, inputs.dtype)


# --- end


model = keras.Sequential([keras.layers.Dense(4), Scale(), keras.layers.Dense(1, dtype="float32")])
model.compile(optimizer="adam", loss="mse")
assert model.layers[0].compute_dtype == "float16"
model.fit(np.ones((8, 3)), np.ones((8, 1)))
