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
pairs = tf.stack([tf.range(8), actions], axis=1)  # (row, column) for each row
chosen = tf.gather_nd(scores, pairs)
# --- end
mean = tf.reduce_mean(chosen)
assert chosen.shape == (8,)
assert float(chosen[1]) == 6.0
