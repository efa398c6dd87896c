# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

scores = tf.reshape(tf.range(40.0), (8, 5))
actions = tf.constant([0, 1, 2, 3, 4, 0, 1, 2])
# --- shown
chosen = tf.gather_nd(scores, actions)
# --- end
mean = tf.reduce_mean(chosen)
