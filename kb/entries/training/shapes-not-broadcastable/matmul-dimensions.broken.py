# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

queries = tf.random.normal((8, 20, 64))  # batch, queries, features
keys = tf.random.normal((8, 30, 64))  # batch, keys, features
# --- shown
scores = tf.matmul(queries, keys)
# --- end
weights = tf.nn.softmax(scores / 8.0)
