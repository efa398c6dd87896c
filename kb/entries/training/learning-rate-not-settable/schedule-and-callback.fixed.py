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
features, targets = rng.normal(size=(64, 4)).astype("float32"), rng.normal(size=(64, 1))
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
plateau = keras.callbacks.ReduceLROnPlateau(monitor="loss", factor=0.5, patience=1, min_delta=0.5)
# --- shown
rate = 0.01  # a number, because the callback changes it
model.compile(optimizer=keras.optimizers.Adam(rate), loss="mse")
# --- end
history = model.fit(features, targets, epochs=5, callbacks=[plateau])
assert history.history["learning_rate"][-1] < 0.01
