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


class SplitHeads(keras.layers.Layer):
    def call(self, x):
        # --- shown
        return tf.reshape(x, (tf.shape(x)[0], x.shape[1], 4, x.shape[2] // 4))


# --- end
inputs = keras.Input((10, 32))
model = keras.Model(inputs, SplitHeads()(inputs))
heads = model.predict(np.zeros((3, 10, 32), "float32"), verbose=0)
assert heads.shape == (3, 10, 4, 8)
