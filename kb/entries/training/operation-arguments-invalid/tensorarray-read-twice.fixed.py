# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf

series = tf.constant([[1.0, 2.0], [3.0, 5.0], [6.0, 9.0]])
# --- shown
steps = tf.TensorArray(tf.float32, size=3, clear_after_read=False).unstack(series)
changes = [steps.read(i + 1) - steps.read(i) for i in range(2)]
# --- end
result = tf.stack(changes).numpy()
assert np.array_equal(result, [[2.0, 3.0], [3.0, 4.0]]), result
