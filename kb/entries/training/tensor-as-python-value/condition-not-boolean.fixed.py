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
def scale(step):
    return 0.1 if step % 2 == 1 else 1.0


# --- end
rate = scale(tf.constant(3))
print(float(rate))
assert abs(float(rate) - 0.1) < 1e-6
