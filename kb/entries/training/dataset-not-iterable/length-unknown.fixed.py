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
count = dataset.reduce(0, lambda total, _: total + 1)
dataset = dataset.apply(tf.data.experimental.assert_cardinality(int(count)))
# --- end
print(len(dataset), "elements")
assert len(dataset) == 34
