# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf


def samples():
    for number in range(4):
        yield np.full(3, number, "float32")


# --- shown
dataset = tf.data.Dataset.from_generator(samples(), output_signature=tf.TensorSpec((3,), tf.float32))
# --- end
for row in dataset:
    print(row.numpy())
