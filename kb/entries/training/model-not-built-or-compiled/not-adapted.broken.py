# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import tensorflow as tf

names = tf.constant(["cat", "dog", "cat"])
# --- shown
lookup = keras.layers.StringLookup()
# --- end
print(lookup(names))
