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
encoder = keras.layers.LSTM(8, return_state=True)
output, state_h, state_c = encoder(vectors)
# --- end
model = keras.Model(tokens, keras.layers.Dense(1)(state_h))
assert model.output_shape == (None, 1)
