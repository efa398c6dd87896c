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
class Regression(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1)

    def forward(self, inputs):
        return self.dense(inputs)


# --- end


model = Regression()
model.compile(optimizer="adam", loss="mse")
model.fit(np.ones((16, 4)), np.ones((16, 1)), verbose=0)
