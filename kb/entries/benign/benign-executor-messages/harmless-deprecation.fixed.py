# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

batches = tf.data.Dataset.range(6).batch(3)
# --- shown
numbers = batches.unbatch()
# --- end
assert list(numbers.as_numpy_iterator()) == [0, 1, 2, 3, 4, 5]
print(list(numbers.as_numpy_iterator()))
