# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import keras
import numpy as np

features = np.random.default_rng(0).normal(size=(64, 4))
labels = features.sum(axis=1, keepdims=True)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
stop = keras.callbacks.EarlyStopping(monitor="val_loss", patience=0)

# --- shown
history = model.fit(features, labels, epochs=3, callbacks=[stop], verbose=2)
# --- end
print("epochs done", len(history.epoch))
