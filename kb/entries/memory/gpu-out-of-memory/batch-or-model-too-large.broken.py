# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow[and-cuda]==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# needs = ["nvidia-smi"]
# ///
import keras
import numpy as np
import tensorflow as tf

gpu = tf.config.list_physical_devices("GPU")[0]
tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=2048)])  # a small card

random = np.random.default_rng(0)
images = random.random((256, 128, 128, 3), dtype="float32")
masks = (images.mean(axis=3, keepdims=True) > 0.5).astype("float32")

model = keras.Sequential(
    [
        keras.Input((128, 128, 3)),
        *[keras.layers.Conv2D(64, 3, padding="same", activation="relu") for _ in range(6)],
        keras.layers.Conv2D(1, 1, activation="sigmoid"),
    ]
)
model.compile(optimizer="adam", loss="binary_crossentropy", jit_compile=False)
# --- shown
model.fit(images, masks, batch_size=256, epochs=1, verbose=2)
# --- end
