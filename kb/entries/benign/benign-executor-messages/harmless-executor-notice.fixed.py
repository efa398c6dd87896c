# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import tensorflow as tf


# --- shown
def shift(x):
    return x + 1


def double(x):
    return x * 2


steps = {"shift": shift, "double": double}
# --- end
dataset = tf.data.Dataset.range(3).map(steps["double"])
assert list(dataset.as_numpy_iterator()) == [0, 2, 4]
print(list(dataset.as_numpy_iterator()))
