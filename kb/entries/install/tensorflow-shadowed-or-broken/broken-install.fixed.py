# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
# --- shown
import tensorflow as tf

print(tf.__version__, tf.__file__)
# --- end
assert tf.__file__ is not None

print(tf.reduce_sum(tf.constant([1.0, 2.0])))
