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
    sums = tf.TensorArray(tf.float32, size=tf.shape(x)[0])
    for i in tf.range(tf.shape(x)[0]):
        sums = sums.write(i, tf.reduce_sum(x[: i + 1]))
    return sums.stack()


# --- end
result = cumulative(tf.constant([1.0, 2.0, 4.0]))
assert result.numpy().tolist() == [1.0, 3.0, 7.0]
