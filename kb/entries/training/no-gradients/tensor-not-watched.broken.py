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
    y = x * x
gradient = tape.gradient(y, x)
# --- end
x = x - 0.1 * gradient
