# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow[and-cuda]==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# needs = ["nvidia-smi"]
# ///
import os


import tensorflow as tf

gpu = tf.config.list_physical_devices("GPU")[0]
tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=1024)])  # a small card

batches = [tf.zeros((length, 1024, 256)) for length in [7, 8] * 67]
print(f"{len(batches)} batches of 7 and 8 MiB")
del batches[::2]
longer = tf.zeros((40, 1024, 256))
print("a longer batch of", longer.shape)
