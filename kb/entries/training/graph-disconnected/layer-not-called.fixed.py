# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

inputs = keras.Input((4,))
hidden = keras.layers.Dense(8, activation="relu")(inputs)
# --- shown
outputs = keras.layers.Dense(1)(hidden)
# --- end
model = keras.Model(inputs, outputs)
assert model.output_shape == (None, 1)
