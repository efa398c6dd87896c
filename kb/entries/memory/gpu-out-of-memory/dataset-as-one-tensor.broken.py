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
tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=1024)])  # a small card

images = np.random.default_rng(0).random((100_000, 64, 64), dtype="float32")
labels = images[:, 0, 0].copy()

model = keras.Sequential([keras.Input((64, 64)), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
# --- shown
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).batch(32)
# --- end
model.fit(dataset, steps_per_epoch=50, epochs=1, verbose=2)
