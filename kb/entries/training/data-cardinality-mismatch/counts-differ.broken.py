# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

rng = np.random.default_rng(0)
series = rng.normal(size=120).astype("float32")
window = 10
model = keras.Sequential([keras.Input((window,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
features = np.stack([series[start : start + window] for start in range(len(series) - window)])
# --- shown
targets = series
# --- end
model.fit(features, targets, epochs=1)
