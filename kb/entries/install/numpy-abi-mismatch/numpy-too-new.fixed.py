# /// script
# requires-python = "==3.11.*"
# dependencies = ["tensorflow-cpu==2.14.0", "numpy<2"]
#
# [tool.tfhelp]
# timeout = 120
# ///
# --- shown
import numpy as np
import tensorflow as tf

assert np.lib.NumpyVersion(np.__version__) < "2.0.0", np.__file__
# --- end

weights = tf.Variable(tf.ones((3, 1)))
print(tf.matmul(tf.constant([[1.0, 2.0, 3.0]]), weights))
