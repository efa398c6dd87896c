# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf


# --- shown
@tf.function
def squares(numbers):
    values = tf.TensorArray(tf.float32, size=3)
    for i in tf.range(3):
        values = values.write(i, numbers[i] * numbers[i])
    return values


result = squares(tf.constant([1.0, 2.0, 3.0])).stack()
# --- end
total = tf.reduce_sum(result).numpy()
