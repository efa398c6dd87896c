# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow[and-cuda]==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# env = { TF_FORCE_GPU_ALLOW_GROWTH = "true" }
# needs = ["nvidia-smi"]
# ///
import time

import keras
import numpy as np
import tensorflow as tf

generator = np.random.default_rng(0)
features = generator.normal(size=(4096, 20)).astype("float32")
labels = features[:, :1] * 2 + generator.normal(0, 0.1, (4096, 1)).astype("float32")
model = keras.Sequential([keras.Input((20,)), keras.layers.Dense(64, activation="relu"), keras.layers.Dense(64, activation="relu"), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam(1e-3)


# --- shown
@tf.function
def train_step(rows, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(rows, training=True) - targets))
    optimizer.apply(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
    return loss


batch_size = 1024
# --- end
started = time.monotonic()
while time.monotonic() - started < 72:
    for start in range(0, 4096, batch_size):
        loss = train_step(features[start : start + batch_size], labels[start : start + batch_size])
    print(f"{time.monotonic() - started:.0f} s, loss {float(loss):.4f}", flush=True)
assert int(optimizer.iterations) * batch_size > 72 * 50_000
