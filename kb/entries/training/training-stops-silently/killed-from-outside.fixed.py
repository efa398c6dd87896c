# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# send-signal = {name = "SIGTERM", when = "Epoch 4/"}
# ///
import pathlib
import signal

import keras
import numpy as np

features = np.random.default_rng(0).normal(size=(4096, 32)).astype("float32")
targets = features.sum(axis=1, keepdims=True)
model = keras.Sequential([keras.Input((32,)), keras.layers.Dense(64, activation="relu"), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")


# --- shown
class SaveWhenAskedToStop(keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        signal.signal(signal.SIGTERM, lambda number, frame: setattr(self.model, "stop_training", True))

    def on_train_end(self, logs=None):
        self.model.save("last.keras")


callbacks = [SaveWhenAskedToStop()]
# --- end
model.fit(features, targets, epochs=500, verbose=2, callbacks=callbacks)
assert pathlib.Path("last.keras").exists()
