# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

# --- shown
inputs = keras.Input(shape=(10,))
# --- end
model = keras.Model(inputs, keras.layers.Dense(1)(inputs))
assert model.input_shape == (None, 10)
