# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

features = tf.SparseTensor(indices=[[0, 1], [1, 0]], values=[1.0, 2.0], dense_shape=[2, 2])
weights = tf.ones((2, 3))
# --- shown
scores = tf.matmul(features, weights)
# --- end
total = float(tf.reduce_sum(scores))
