# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf


@tf.function
def scale(x):
    if tf.reduce_mean(x) > 0:
        factor = tf.reduce_max(x)
    else:
        # --- shown
        factor = 1
    # --- end
    return x / factor


result = scale(tf.constant([1.0, 2.0, 4.0]))
