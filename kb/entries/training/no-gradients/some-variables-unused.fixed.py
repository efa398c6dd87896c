# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np


class Encoder(keras.Model):
    def __init__(self):
        super().__init__()
        self.body = keras.layers.Dense(8, activation="tanh")
        self.pooler = keras.layers.Dense(8)
        self.head = keras.layers.Dense(1)

    # --- shown
    def call(self, inputs):
        hidden = self.body(inputs)
        pooled = self.pooler(hidden)
        return self.head(pooled)

    # --- end


x = np.random.default_rng(0).random((32, 4), dtype="float32")
model = Encoder()
model.compile(optimizer="adam", loss="mse")
model(x)
before = model.pooler.get_weights()[0]
model.fit(x, x.sum(axis=1, keepdims=True), verbose=0)
assert not np.array_equal(before, model.pooler.get_weights()[0])
