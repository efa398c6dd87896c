# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf
import keras

queries = keras.ops.ones((2, 10, 64))
mask = tf.constant([[True] * 10, [False] * 10])
# --- shown
heads = keras.ops.transpose(keras.ops.reshape(queries, (2, 10, 8, 8)), (0, 2, 1, 3))
scores = keras.ops.expand_dims(mask, 1)
# --- end
print(tf.shape(heads), tf.shape(scores))
assert heads.shape == (2, 8, 10, 8)
assert scores.shape == (2, 1, 10)
