# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np


class Network(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = keras.layers.Dense(16, activation="relu")
        self.head = keras.layers.Dense(2)

    def call(self, inputs):
        return self.head(self.hidden(inputs))


batch = np.ones((1, 8), "float32")
trained = Network()
expected = trained(batch)
trained.save_weights("network.weights.h5")

# --- shown
model = Network()
model.load_weights("network.weights.h5")
# --- end
model.predict(batch, verbose=0)
