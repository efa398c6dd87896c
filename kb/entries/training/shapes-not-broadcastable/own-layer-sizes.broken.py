# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

features = np.random.default_rng(0).normal(size=(64, 12)).astype("float32")


# --- shown
class Scale(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.factor = self.add_weight(shape=(8,), initializer="ones", name="factor")

    def call(self, inputs):
        return inputs * self.factor


# --- end
model = keras.Sequential([Scale(), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(features, features.sum(axis=1), batch_size=32, verbose=0)
