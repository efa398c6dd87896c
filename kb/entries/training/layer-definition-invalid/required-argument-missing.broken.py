# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

words = keras.Input((10, 16))
# --- shown
attention = keras.layers.MultiHeadAttention(num_heads=2)
# --- end
model = keras.Model(words, attention(words, words))
print(model.count_params())
