# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

counts = tf.SparseTensor(indices=[[2, 1], [0, 0]], values=[1.0, 2.0], dense_shape=[3, 2])
# --- shown
dense = tf.sparse.to_dense(tf.sparse.reorder(counts))
# --- end
rows = dense.numpy().tolist()
assert rows == [[2.0, 0.0], [0.0, 0.0], [0.0, 1.0]]
