# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np

# --- shown
from keras.utils import to_categorical

labels = to_categorical([0, 2, 1], 3)
# --- end
assert np.array_equal(labels, np.eye(3)[[0, 2, 1]])
counts = np.sum(labels, axis=0)
