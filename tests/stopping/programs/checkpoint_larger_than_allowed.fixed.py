"""Weights are saved after each epoch, in a place where a user may write only so much."""

import os
import resource
import tempfile

import numpy as np

print("loading", flush=True)
import tensorflow as tf

resource.setrlimit(resource.RLIMIT_FSIZE, (4 * 2**20, resource.RLIM_INFINITY))


class Keep(tf.keras.callbacks.Callback):
    def __init__(self, folder):
        super().__init__()
        self.folder = folder

    def on_epoch_end(self, epoch, logs=None):
        try:
            self.model.save_weights(os.path.join(self.folder, f"{epoch}.weights.h5"))
        except Exception:
            print("not saved, training ends")
            raise SystemExit(1) from None


rows = np.random.default_rng(9).normal(size=(64, 1000)).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Input((1000,)), tf.keras.layers.Dense(50), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
with tempfile.TemporaryDirectory() as folder:
    model.fit(rows, rows.mean(axis=1), epochs=2, verbose=2, callbacks=[Keep(folder)])
print("trained", flush=True)
