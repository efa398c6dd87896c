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
for head in range(0, 16, 4):  # four heads at a time
    weights = tf.nn.softmax(tf.matmul(queries[head : head + 4], keys[head : head + 4], transpose_b=True))
# --- end
print(float(weights[0, 0, 0]))
assert abs(float(tf.reduce_sum(tf.cast(weights[-1, -1], tf.float32))) - 1) < 0.05
