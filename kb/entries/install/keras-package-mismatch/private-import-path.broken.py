# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np

# --- shown
from keras.utils import np_utils

labels = np_utils.to_categorical([0, 2, 1], 3)
# --- end
counts = np.sum(labels, axis=0)
