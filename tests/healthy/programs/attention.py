# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
"""Self-attention in a custom layer."""

import keras
import numpy as np


class Block(keras.layers.Layer):
    def __init__(self, width, **options):
        super().__init__(**options)
        self.attention = keras.layers.MultiHeadAttention(num_heads=2, key_dim=width // 2)
        self.normalise = keras.layers.LayerNormalization()
        self.supports_masking = True

    def call(self, inputs):
        return self.normalise(inputs + self.attention(inputs, inputs))


features = np.random.default_rng(0).normal(size=(32, 10, 8)).astype("float32")
model = keras.Sequential([keras.Input((10, 8)), Block(8), keras.layers.GlobalAveragePooling1D(), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(features, features.sum(axis=(1, 2)), epochs=2, verbose=2)
