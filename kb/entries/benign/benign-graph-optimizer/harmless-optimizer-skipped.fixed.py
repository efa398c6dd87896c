# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow[and-cuda]==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# env = { TF_FORCE_GPU_ALLOW_GROWTH = "true" }
# needs = ["nvidia-smi"]
# ///
import keras
import numpy as np

images = np.random.default_rng(0).random((256, 64, 64, 3), dtype="float32")
labels = images.mean(axis=(1, 2, 3))
# --- shown
model = keras.Sequential(
    [
        keras.Input((64, 64, 3)),
        keras.layers.Conv2D(32, 3, activation="relu"),
        keras.layers.GaussianNoise(0.2),
        keras.layers.Conv2D(32, 3, activation="relu"),
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(1),
    ]
)
# --- end
model.compile(optimizer="adam", loss="mse", jit_compile=False)
history = model.fit(images, labels, batch_size=32, epochs=2, verbose=2)
assert history.history["loss"][1] < history.history["loss"][0]
