# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

series = np.random.default_rng(0).random((16, 40, 3)).astype("float32")
target = series.mean(axis=(1, 2))
first = keras.layers.Conv1D(8, 3, activation="relu")

# --- shown
# Conv1D gives (batch, steps, channels), so the pooling is 1D too.
model = keras.Sequential([first, keras.layers.GlobalAveragePooling1D(), keras.layers.Dense(1)])
# --- end
model.compile(optimizer="adam", loss="mse")
assert model(series[:2]).shape == (2, 1)
model.fit(series, target, verbose=0)
