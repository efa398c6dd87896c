# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

dataset = tf.data.Dataset.range(100).filter(lambda number: number % 3 == 0)
# --- shown
# the number of elements after filter is not known
# --- end
print(len(dataset), "elements")
