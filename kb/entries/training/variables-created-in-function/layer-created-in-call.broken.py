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
class Net(keras.Model):
    def call(self, inputs):
        hidden = keras.layers.Dense(8, activation="relu")(inputs)
        return keras.layers.Dense(1)(hidden)


# --- end
model = Net()
model.compile("adam", "mse")
model.fit(np.ones((16, 4)), np.ones((16, 1)), verbose=0)
