# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

tokens = keras.Input((20,))
vectors = keras.layers.Embedding(1000, 16)(tokens)
# --- shown
encoded = keras.layers.Bidirectional(keras.layers.LSTM(8))(vectors)
# --- end
model = keras.Model(tokens, keras.layers.Dense(1)(encoded))
assert model.output_shape == (None, 1)
