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
gpus = tf.config.list_logical_devices("GPU")
device = gpus[0].name if gpus else "/CPU:0"


@tf.function
def step(batch):
    with tf.device(device):
        return tf.matmul(batch, batch, transpose_b=True)


# --- end
assert step(tf.ones((2, 3))).numpy().tolist() == [[3.0, 3.0], [3.0, 3.0]]
print(step(tf.ones((2, 3))))
