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


# --- shown
@tf.function(jit_compile=True)
def activate(values):
    return tf.math.tanh(values) + tf.math.exp(values)


# --- end
with tf.device("/GPU:0"):
    total = float(tf.reduce_sum(activate(tf.ones((1000, 1000)))))
print(total)
assert total > 3_000_000
