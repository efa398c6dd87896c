# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

inputs = keras.Input((4,))
# --- shown
hidden = keras.layers.Dense(8, activations="relu")(inputs)
# --- end
model = keras.Model(inputs, keras.layers.Dense(1)(hidden))
print(model.count_params())
