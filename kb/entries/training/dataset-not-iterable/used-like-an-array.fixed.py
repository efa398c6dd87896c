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
first = next(iter(dataset))  # one batch
third = next(iter(dataset.skip(2)))
print(dataset.element_spec)  # shapes and dtypes
# --- end
total = tf.reduce_sum(first)
assert first.numpy().tolist() == [0, 1, 2, 3]
assert third.numpy().tolist() == [8, 9]
