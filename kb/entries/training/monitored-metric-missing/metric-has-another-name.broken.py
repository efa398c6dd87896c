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
labels = (features.sum(axis=1) > 0).astype("float32")
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, activation="sigmoid")])

# --- shown
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
stop = keras.callbacks.EarlyStopping(monitor="val_acc", mode="max", patience=5)
# --- end
stop.patience, stop.min_delta = 0, 1.0  # ends after two epochs, so that this run is short
history = model.fit(features, labels, validation_split=0.25, epochs=3, callbacks=[stop], verbose=2)
print("epochs done", len(history.epoch))
