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

inputs = keras.Input((8, 8))
# --- shown
scores = keras.ops.mean(inputs, axis=1)


class Rotated(keras.layers.Layer):
    def call(self, inputs):
        return tf.roll(inputs, shift=1, axis=-1)  # TensorFlow is fine here


scores = Rotated()(scores)
# --- end
model = keras.Model(inputs, keras.layers.Dense(1)(scores))
assert model(np.ones((2, 8, 8), "float32")).shape == (2, 1)
assert "rotated" in [layer.name for layer in model.layers]
model.summary()
