# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

layers = keras.layers
images = np.zeros((16, 32, 32, 3), "float32")
base = keras.Sequential([keras.Input((32, 32, 3)), layers.Conv2D(8, 3), layers.GlobalAveragePooling2D()])
inputs = keras.Input((32, 32, 3))
# --- shown
features = base(inputs)
# --- end
outputs = layers.Dense(5)(features)
model = keras.Model(inputs, outputs)
assert model.output_shape == (None, 5)
