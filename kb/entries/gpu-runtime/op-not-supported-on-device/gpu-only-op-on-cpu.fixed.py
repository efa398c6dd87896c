# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

features = np.random.default_rng(0).random((32, 10, 4), dtype="float32")
targets = features.sum(axis=(1, 2))

# --- shown
model = keras.Sequential(
    [
        keras.Input((10, 4)),
        keras.layers.LSTM(8),  # takes cuDNN's kernel on a GPU and another one elsewhere
        keras.layers.Dense(1),
    ]
)
# --- end
assert model.output_shape == (None, 1)
model.compile(optimizer="adam", loss="mse")
model.fit(features, targets, epochs=1, verbose=2)
