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

queries = tf.random.normal((16, 11600, 64), dtype=tf.float16)
keys = tf.random.normal((16, 11600, 64), dtype=tf.float16)
# --- shown
weights = tf.nn.softmax(tf.matmul(queries, keys, transpose_b=True))
# --- end
print(float(weights[0, 0, 0]))
