# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

lengths = tf.constant([3, 5, 2])
# --- shown
mean = tf.reduce_sum(tf.constant([1.5, 2.5, 1.0])) / tf.reduce_sum(lengths)
# --- end
print(float(mean))
