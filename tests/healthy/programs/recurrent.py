# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
"""An LSTM over masked sequences of different lengths."""

import keras
import numpy as np

rng = np.random.default_rng(0)
tokens = rng.integers(1, 40, (64, 12))
for row, length in enumerate(rng.integers(3, 13, 64)):
    tokens[row, length:] = 0
model = keras.Sequential(
    [
        keras.Input((12,), dtype="int32"),
        keras.layers.Embedding(40, 8, mask_zero=True),
        keras.layers.Bidirectional(keras.layers.LSTM(8)),
        keras.layers.Dense(1, activation="sigmoid"),
    ]
)
model.compile(optimizer="adam", loss="binary_crossentropy")
model.fit(tokens, (tokens > 0).sum(axis=1) > 6, epochs=2, verbose=2)
