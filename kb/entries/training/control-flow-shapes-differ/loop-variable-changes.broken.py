# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf


@tf.function
def cumulative(x):
    # --- shown
    sums = tf.zeros((0,))
    for i in tf.range(tf.shape(x)[0]):
        sums = tf.concat([sums, [tf.reduce_sum(x[: i + 1])]], axis=0)
    return sums


# --- end
result = cumulative(tf.constant([1.0, 2.0, 4.0]))
