# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

inputs = keras.Input((4,), name="features")
model = keras.Model(inputs, keras.layers.Dense(1)(inputs))
model.compile("adam", "mse")
# --- shown
data = {"x": np.ones((8, 4))}
# --- end
model.fit(data, np.ones((8, 1)), verbose=0)
