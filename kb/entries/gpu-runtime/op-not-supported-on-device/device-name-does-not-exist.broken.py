# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

tf.config.set_soft_device_placement(False)

# --- shown
device = "/GPU:0"


@tf.function
def step(batch):
    with tf.device(device):
        return tf.matmul(batch, batch, transpose_b=True)


# --- end
print(step(tf.ones((2, 3))))
