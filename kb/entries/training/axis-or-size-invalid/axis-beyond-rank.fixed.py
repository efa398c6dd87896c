# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf

rows = np.arange(32, dtype="float32").reshape(8, 4)


# --- shown
def centred(row):
    return row - tf.reduce_mean(row, axis=-1)


# --- end
dataset = tf.data.Dataset.from_tensor_slices(rows).map(centred)
batches = list(dataset.batch(4))
assert batches[0].shape == (4, 4)
assert abs(float(tf.reduce_sum(batches[0]))) < 1e-5
