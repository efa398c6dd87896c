# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow[and-cuda]==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# needs = ["nvidia-smi"]
# ///
"""XLA tries algorithms that need more memory than the GPU has, prints the allocator's whole state, and goes on."""

import keras
import numpy as np
import tensorflow as tf

gpu = tf.config.list_physical_devices("GPU")[0]
tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=2048)])  # a small card

random = np.random.default_rng(0)
images = random.random((64, 128, 128, 3), dtype="float32")
labels = images.mean(axis=(1, 2, 3))
test_images = random.random((640, 128, 128, 3), dtype="float32")
test_labels = test_images.mean(axis=(1, 2, 3))

model = keras.Sequential(
    [
        keras.Input((128, 128, 3)),
        *[keras.layers.Conv2D(64, 3, padding="same", activation="relu") for _ in range(3)],
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(1),
    ]
)
model.compile(optimizer="adam", loss="mse")
model.fit(images, labels, batch_size=8, epochs=1, verbose=2)
loss = model.evaluate(test_images, test_labels, batch_size=16, verbose=2)
print("loss", loss)
