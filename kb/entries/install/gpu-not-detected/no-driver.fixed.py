# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf

# --- shown
gpus = tf.config.list_physical_devices("GPU")
print("Num GPUs Available:", len(gpus))
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
device = "/GPU:0" if gpus else "/CPU:0"
# --- end
with tf.device(device):
    product = tf.matmul(tf.ones([64, 64]), tf.ones([64, 64]))
print("computed on", product.device)
assert ("GPU" in product.device) == bool(gpus)
np.testing.assert_allclose(product, 64.0)
