# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow[and-cuda]==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# exit = 0
# env = { TF_FORCE_GPU_ALLOW_GROWTH = "true" }
# needs = ["nvidia-smi"]
# ///
"""A training from a Python generator that prints how much GPU memory is in use."""

import keras
import numpy as np
import tensorflow as tf

images = np.random.default_rng(0).random((64, 64, 64, 3), dtype="float32")


def batches():
    for number in range(100):
        flipped = images[:, :, :: np.random.choice([1, -1])]
        yield flipped, images[:, 0, 0, 0]


model = keras.Sequential([keras.Input((64, 64, 3)), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")


class Report(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        if batch % 10 == 0:
            print(
                f"step {batch}: {tf.config.experimental.get_memory_info('GPU:0')['current'] / 2**20:.1f} MiB of GPU memory in use"
            )


model.fit(batches(), steps_per_epoch=100, epochs=1, verbose=2, callbacks=[Report()])
