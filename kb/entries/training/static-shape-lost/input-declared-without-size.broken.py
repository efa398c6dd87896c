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
inputs = keras.Input((None,))
# --- end
outputs = keras.layers.Dense(1)(keras.layers.Dense(16, activation="relu")(inputs))
model = keras.Model(inputs, outputs)
model.compile(optimizer="adam", loss="mse")
