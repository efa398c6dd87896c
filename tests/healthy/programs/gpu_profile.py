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
"""A profile of a few steps on a GPU."""

import tensorflow as tf

tf.profiler.experimental.start("logs")
with tf.device("/GPU:0"):
    for _ in range(10):
        tf.matmul(tf.ones((512, 512)), tf.ones((512, 512)))
tf.profiler.experimental.stop()
