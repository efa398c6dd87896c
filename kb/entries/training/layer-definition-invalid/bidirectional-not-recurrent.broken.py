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
outputs = keras.layers.Bidirectional(keras.layers.Dense(8))(inputs)
# --- end
model = keras.Model(inputs, outputs)
print(model.output_shape)
