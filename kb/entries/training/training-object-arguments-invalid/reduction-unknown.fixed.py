# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

labels, predictions = np.zeros((4, 1)), np.full((4, 1), 2.0)
# --- shown
loss = keras.losses.MeanSquaredError(reduction="sum_over_batch_size")
# --- end
value = float(loss(labels, predictions))
assert value == 4.0, value
