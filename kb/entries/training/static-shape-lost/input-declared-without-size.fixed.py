# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

rows, columns = 100, 12
# --- shown
inputs = keras.Input((columns,))  # only the batch and the time may stay open
# --- end
outputs = keras.layers.Dense(1)(keras.layers.Dense(16, activation="relu")(inputs))
model = keras.Model(inputs, outputs)
model.compile(optimizer="adam", loss="mse")
assert model.output_shape == (None, 1)
