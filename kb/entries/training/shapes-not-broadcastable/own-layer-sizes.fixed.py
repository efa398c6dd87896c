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
    def build(self, input_shape):
        self.factor = self.add_weight(shape=(input_shape[-1],), initializer="ones", name="factor")

    def call(self, inputs):
        return inputs * self.factor


# --- end
model = keras.Sequential([Scale(), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(features, features.sum(axis=1), batch_size=32, verbose=0)
assert model.layers[0].factor.shape == (12,)
