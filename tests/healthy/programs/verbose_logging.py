# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# env = {TF_CPP_MAX_VLOG_LEVEL = "1"}
# ///
"""The runtime tells nearly everything that it does."""

import tensorflow as tf

weights = tf.Variable(tf.ones((4, 1)))


@tf.function
def step(batch):
    return tf.reduce_mean(tf.matmul(batch, weights))


for _ in range(2):
    print("mean:", float(step(tf.ones((2, 4)))))
