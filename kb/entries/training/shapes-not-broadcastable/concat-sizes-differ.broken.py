# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

numbers = tf.ones((8, 3))
categories = tf.zeros((8, 2))
# --- shown
rows = tf.concat([numbers, categories], axis=0)
# --- end
print(rows.shape)
