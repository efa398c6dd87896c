# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

speed = tf.constant(3.0)
# --- shown
limited = tf.cond(speed > 2.0, tf.minimum(speed, 2.0), tf.identity(speed))
# --- end
print(float(limited))
