# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf


@tf.function
def clip(gradient, limit):
    norm = tf.norm(gradient)
    # --- shown
    if norm > limit:
        clipped = gradient * limit / norm
    else:
        clipped = gradient
    # --- end
    return clipped


result = clip(tf.constant([3.0, 4.0]), tf.constant(1.0))
assert abs(float(tf.norm(result)) - 1.0) < 1e-5
