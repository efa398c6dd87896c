# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

x = np.random.default_rng(0).random((32, 4), dtype="float32")
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
# --- shown
optimizer = keras.optimizers.Adam(lr=1e-3, decay=1e-4)
# --- end
model.compile(optimizer=optimizer, loss="mse")
history = model.fit(x, x.sum(axis=1, keepdims=True), verbose=0)
