# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

features = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
targets = features.sum(axis=1, keepdims=True)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
# --- shown
each = keras.callbacks.ModelCheckpoint("epoch-{epoch:02d}.keras", verbose=1)
# --- end
assert "{epoch" in each.filepath
model.fit(features, targets, epochs=3, verbose=2, callbacks=[each])
keras.models.load_model("epoch-01.keras")
