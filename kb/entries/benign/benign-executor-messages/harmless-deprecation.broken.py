# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import tensorflow as tf

batches = tf.data.Dataset.range(6).batch(3)
# --- shown
numbers = batches.apply(tf.data.experimental.unbatch())
# --- end
print(list(numbers.as_numpy_iterator()))
