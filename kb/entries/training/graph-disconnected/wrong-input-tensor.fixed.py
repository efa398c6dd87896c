# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

layers = keras.layers
photo = keras.Input((32, 32, 3))
base = keras.Model(photo, layers.GlobalAveragePooling2D()(layers.Conv2D(8, 3)(photo)))
inputs = keras.Input((32, 32, 3))
# --- shown
outputs = layers.Dense(5)(base(inputs))
# --- end
model = keras.Model(inputs, outputs)
assert model.output_shape == (None, 5)
