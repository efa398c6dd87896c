# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

# --- shown
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
gradient = tape.gradient(y, x)
# --- end
x = x - 0.1 * gradient
assert abs(float(x) - 2.4) < 1e-6
