# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow[and-cuda]==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# env = { TF_FORCE_GPU_ALLOW_GROWTH = "true" }
# needs = ["nvidia-smi"]
# ///
import os

# --- shown
os.environ.pop("LD_LIBRARY_PATH", None)  # no folder of stubs: the loader finds the driver's libcuda.so.1
# --- end
import tensorflow as tf

tf.config.set_soft_device_placement(False)
with tf.device("/GPU:0"):
    total = tf.reduce_sum(tf.ones((1000, 1000)))
print(float(total))
assert float(total) == 1_000_000
