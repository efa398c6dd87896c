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
        self.dense = keras.layers.Dense(1)
        self.error = keras.metrics.Mean(name="error")

    @property
    def metrics(self):
        return ["error"]

    def call(self, inputs):
        return self.dense(inputs)

    def test_step(self, data):
        x, y = data
        self.error.update_state(keras.ops.abs(y - self(x)))
        return {"error": self.error.result()}


# --- end
model = Net()
model.compile(optimizer="adam", loss="mse")
results = model.evaluate(np.ones((8, 4)), np.ones((8, 1)), verbose=0)
