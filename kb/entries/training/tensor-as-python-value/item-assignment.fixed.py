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
scores = tf.tensor_scatter_nd_update(scores, [[0]], [9.0])  # by index
positive = tf.where(scores < 0, 0.0, scores)  # by condition
# --- end
total = tf.reduce_sum(scores)
assert float(total) == 10.0
assert scores.numpy().tolist() == [9.0, -1.0, 2.0]
assert positive.numpy().tolist() == [9.0, 0.0, 2.0]
