# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf

rows = [["red", 3], ["blue", 1], ["red", 2]]

# --- shown
table = np.array(rows, dtype=object)
amounts = table[:, 1].astype(np.float64)
# --- end
assert amounts.dtype == np.float64
dataset = tf.data.Dataset.from_tensor_slices(amounts).batch(2)
