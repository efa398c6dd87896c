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
words = tf.constant(["Cat", "dog"])
# --- shown
with tf.device("/GPU:0"):
    lower = tf.strings.lower(words)
# --- end
print(lower.numpy())
