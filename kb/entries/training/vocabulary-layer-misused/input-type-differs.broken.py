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
lookup = keras.layers.StringLookup(vocabulary=["10115", "20095"])
indices = lookup(postcodes)
# --- end
