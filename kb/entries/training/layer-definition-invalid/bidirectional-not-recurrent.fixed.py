# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

inputs = keras.Input((12, 3))
# --- shown
states = keras.layers.Bidirectional(keras.layers.LSTM(8, return_sequences=True))(inputs)
outputs = keras.layers.Dense(8)(states)
# --- end
model = keras.Model(inputs, outputs)
print(model.output_shape)
assert model.output_shape == (None, 12, 8)
