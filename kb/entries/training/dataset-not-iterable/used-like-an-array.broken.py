# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

dataset = tf.data.Dataset.range(10).batch(4)
# --- shown
first = dataset[0]
# --- end
total = tf.reduce_sum(first)
