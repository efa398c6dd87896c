# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

features = tf.reshape(tf.range(128.0), (16, 8))
# --- shown
parts = tf.split(features, 3, axis=1)
# --- end
joined = tf.concat(parts, axis=1)
