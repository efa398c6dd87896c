# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow[and-cuda]==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# env = { TF_FORCE_GPU_ALLOW_GROWTH = "true" }
# needs = ["nvidia-smi"]
# ///
import tensorflow as tf

tf.config.set_soft_device_placement(False)
print(tf.config.list_physical_devices())
# --- shown
with tf.device("/GPU:0"):
    total = tf.reduce_sum(tf.ones((1000, 1000)))
# --- end
print(float(total))
assert float(total) == 1_000_000
