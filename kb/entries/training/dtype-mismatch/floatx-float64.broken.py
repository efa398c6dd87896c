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

# --- shown
keras.backend.set_floatx("float64")
# --- end


class Scale(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.gain = tf.constant(2.0)

    def call(self, inputs):
        return inputs * self.gain


model = keras.Sequential([keras.layers.Dense(4), Scale(), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(np.ones((8, 3)), np.ones((8, 1)))
