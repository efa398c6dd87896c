# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf

# Zeros take no memory until they are written.
table = np.zeros((550_000, 1000), dtype="float32")
weights = tf.Variable(tf.ones(1000))
indices = np.array([3, 14, 15, 92])


# --- shown
@tf.function
def score(rows):
    return tf.linalg.matvec(rows, weights)


result = score(table[indices])  # NumPy picks the rows, and only they enter the graph
# --- end
assert result.shape == (4,)
print(result.shape)
