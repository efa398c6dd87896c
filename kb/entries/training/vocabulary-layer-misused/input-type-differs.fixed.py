# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import tensorflow as tf

postcodes = tf.constant([10115, 20095, 10115])
# --- shown
lookup = keras.layers.IntegerLookup(vocabulary=[10115, 20095])  # or StringLookup on tf.strings.as_string(postcodes)
indices = lookup(postcodes)
# --- end
assert indices.numpy().tolist() == [1, 2, 1]
