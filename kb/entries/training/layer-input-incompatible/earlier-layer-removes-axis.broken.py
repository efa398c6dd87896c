# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

features = np.random.default_rng(0).random((16, 40, 3)).astype("float32")
target = features.mean(axis=(1, 2))


# --- shown
class WeightedSum(keras.layers.Layer):
    def build(self, shape):
        self.weight = self.add_weight(shape=(shape[-1],))

    def call(self, inputs):
        return keras.ops.sum(inputs * self.weight, axis=-1)


# --- end
model = keras.Sequential([keras.Input((40, 3)), keras.layers.Flatten(), keras.layers.Dense(8), WeightedSum(), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(features, target, verbose=0)
