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
joined = tf.concat([features, features], axis=1)
# --- end
assert joined.shape == (2, 4)
tf.debugging.check_numerics(joined, "joined")
