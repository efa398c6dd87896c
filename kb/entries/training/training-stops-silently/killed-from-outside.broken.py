# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# observed = true
# signal = "SIGTERM"
# send-signal = {name = "SIGTERM", when = "Epoch 4/"}
# ///
import keras
import numpy as np

features = np.random.default_rng(0).normal(size=(4096, 32)).astype("float32")
targets = features.sum(axis=1, keepdims=True)
model = keras.Sequential([keras.Input((32,)), keras.layers.Dense(64, activation="relu"), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")

# --- shown
callbacks = []
# --- end
model.fit(features, targets, epochs=500, verbose=2, callbacks=callbacks)
