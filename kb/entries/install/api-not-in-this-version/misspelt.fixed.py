# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

features = tf.constant([[1.0, 2.0], [3.0, 4.0]])
# --- shown
means = tf.reduce_mean(features, axis=0)
# --- end
assert means.numpy().tolist() == [2.0, 3.0]
tf.debugging.check_numerics(means, "means")
