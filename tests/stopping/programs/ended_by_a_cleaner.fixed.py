"""A training on a shared machine where a cleaner spares what still trains."""

import os
import subprocess
import sys

import numpy as np

CLEANER = "import os, signal, sys\nif 'forgotten' in sys.stdin.readline(): os.kill(int(sys.argv[1]), signal.SIGKILL)\n"

print("loading", flush=True)
import tensorflow as tf

cleaner = subprocess.Popen([sys.executable, "-S", "-c", CLEANER, str(os.getpid())], stdin=subprocess.PIPE, start_new_session=True)


class Progress(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if epoch == 2:
            cleaner.stdin.write(b"still needed\n")
            cleaner.stdin.flush()
            cleaner.wait()


rows = np.random.default_rng(4).normal(size=(640, 8)).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(rows, rows.sum(axis=1), epochs=6, verbose=2, callbacks=[Progress()])
print("trained", flush=True)
