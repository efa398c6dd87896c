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
heads = queries.view(2, 10, 8, 8).permute(0, 2, 1, 3)
scores = mask.unsqueeze(1)
# --- end
print(tf.shape(heads), tf.shape(scores))
