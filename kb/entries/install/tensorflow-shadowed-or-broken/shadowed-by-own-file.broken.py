# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# name = "tensorflow.py"
# ///
import tensorflow as tf

print(tf.reduce_sum(tf.constant([1.0, 2.0])))
