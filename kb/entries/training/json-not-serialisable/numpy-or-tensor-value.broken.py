# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import json

import keras
import numpy as np

features = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
targets = features.sum(axis=1, keepdims=True)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
lower = keras.callbacks.ReduceLROnPlateau(monitor="loss", patience=1)
history = model.fit(features, targets, epochs=3, verbose=0, callbacks=[lower]).history
# --- shown
values = {"learning_rate": history["learning_rate"], "largest_feature": features.max()}
# --- end
json.dumps(values)
