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
    def __init__(self):
        super().__init__()
        self.hidden = keras.layers.Dense(8, activation="relu")
        self.out = keras.layers.Dense(1)

    def call(self, inputs):
        return self.out(self.hidden(inputs))


# --- end
model = Net()
model.compile("adam", "mse")
model.fit(np.ones((16, 4)), np.ones((16, 1)), verbose=0)
assert len(model.trainable_variables) == 4
