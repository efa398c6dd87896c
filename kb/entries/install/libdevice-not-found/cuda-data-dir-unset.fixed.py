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


@tf.function(jit_compile=True)
def gamma_correction(values):
    return tf.math.pow(values, 2.2) + tf.math.sin(values)


with tf.device("/GPU:0"):
    total = float(tf.reduce_sum(gamma_correction(tf.ones((1000, 1000)))))
print(total)
assert 1_800_000 < total < 1_900_000
