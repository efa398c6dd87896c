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
images, kernel = tf.ones([8, 64, 64, 8]), tf.ones([3, 3, 8, 8])
result = tf.nn.conv2d(images, kernel, 1, "SAME")
# --- end
print(result.shape)
assert result.shape == (8, 64, 64, 8)
