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
table = np.array(rows, dtype=np.object)
amounts = table[:, 1].astype(np.float)
# --- end
dataset = tf.data.Dataset.from_tensor_slices(amounts).batch(2)
