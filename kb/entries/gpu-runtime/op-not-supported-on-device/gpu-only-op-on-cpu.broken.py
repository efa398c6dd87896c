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
        keras.layers.LSTM(8, use_cudnn=True),
        keras.layers.Dense(1),
    ]
)
# --- end
model.compile(optimizer="adam", loss="mse")
model.fit(features, targets, epochs=1, verbose=2)
