# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

# --- shown
model = keras.Sequential()
model = model.add(keras.Input((4,)))
model = model.add(keras.layers.Dense(1))
# --- end
model.compile(optimizer="adam", loss="mse")
history = model.fit(np.ones((8, 4)), np.ones((8, 1)), verbose=0)
