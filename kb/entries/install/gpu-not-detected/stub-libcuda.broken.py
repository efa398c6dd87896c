# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow[and-cuda]==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# env = { LD_LIBRARY_PATH = "stubs" }
# files = { "stubs/README" = "Libraries to link against." }
# needs = ["nvidia-smi"]
# ///
import os

# --- shown
os.symlink("/usr/local/cuda/lib64/stubs/libcuda.so", "stubs/libcuda.so.1")  # the folder is on LD_LIBRARY_PATH
# --- end
import tensorflow as tf

tf.config.set_soft_device_placement(False)
with tf.device("/GPU:0"):
    total = tf.reduce_sum(tf.ones((1000, 1000)))
print(float(total))
