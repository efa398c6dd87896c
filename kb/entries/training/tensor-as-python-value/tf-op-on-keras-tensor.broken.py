# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import tensorflow as tf

inputs = keras.Input((8, 8))
# --- shown
scores = tf.reduce_mean(inputs, axis=1)


# --- end
model = keras.Model(inputs, keras.layers.Dense(1)(scores))
model.summary()
