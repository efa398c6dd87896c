# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

features = tf.constant([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])
targets = tf.constant([[1.0], [2.0], [3.0]])
gram = tf.matmul(features, features, transpose_a=True)
moments = tf.matmul(features, targets, transpose_a=True)
# --- shown
weights = tf.linalg.solve(gram + 0.01 * tf.eye(2), moments)
# --- end
predictions = tf.matmul(features, weights)
print(predictions)
assert float(tf.reduce_max(tf.abs(predictions - targets))) < 0.1
