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
"""A small convolutional network: on a GPU, Keras 3 compiles its training step with XLA."""

import keras
import numpy as np

images = np.random.default_rng(0).random((64, 64, 64, 3), dtype="float32")
model = keras.Sequential(
    [keras.Input((64, 64, 3)), keras.layers.Conv2D(16, 3), keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(1)]
)
model.compile(optimizer="adam", loss="mse")
model.fit(images, images.mean(axis=(1, 2, 3)), epochs=1, verbose=2)
