# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import keras
import tensorflow as tf

words = tf.constant([[4, 9, 0], [7, 0, 0]])
vectors = tf.random.normal((2, 3, 8))
attention = keras.layers.MultiHeadAttention(num_heads=2, key_dim=4)
# --- shown
padding = words != 0  # (batch, length)
mask = padding
# --- end
result = attention(vectors, vectors, attention_mask=mask)
