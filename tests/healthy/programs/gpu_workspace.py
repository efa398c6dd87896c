# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow[and-cuda]==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# exit = 0
# needs = ["nvidia-smi"]
# ///
"""Convolutions on a GPU without XLA."""

import keras
import numpy as np
import tensorflow as tf

gpu = tf.config.list_physical_devices("GPU")[0]
tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=16384)])
images = np.random.default_rng(0).random((32, 256, 256, 3), dtype="float32")
labels = images.mean(axis=(1, 2, 3))
model = keras.Sequential(
    [
        keras.Input((256, 256, 3)),
        *[keras.layers.Conv2D(32, 5, padding="same", activation="relu") for _ in range(2)],
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(1),
    ]
)
model.compile(optimizer="adam", loss="mse", jit_compile=False)
model.fit(images, labels, batch_size=32, epochs=1, verbose=2)
