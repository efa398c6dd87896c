# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

scores = tf.constant([3.0, -1.0, 2.0])
# --- shown
scores[0] = 9.0
# --- end
total = tf.reduce_sum(scores)
