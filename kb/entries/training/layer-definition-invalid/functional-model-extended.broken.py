# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

inputs = keras.Input((4,))
base = keras.Model(inputs, keras.layers.Dense(8, activation="relu")(inputs))
# --- shown
base.add(keras.layers.Dense(1))
model = base
# --- end
print(model.output_shape)
