# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf


# --- shown
def samples():
    for length in (4, 4, 6):
        yield np.ones((length, 3), "float32"), 1.0


dataset = tf.data.Dataset.from_generator(
    samples,
    output_signature=(
        tf.TensorSpec((None, 3), tf.float32),  # the length varies
        tf.TensorSpec((), tf.float32),
    ),
)
# --- end
assert [len(x) for x, y in dataset] == [4, 4, 6]
for x, y in dataset:
    print(x.shape, float(y))
