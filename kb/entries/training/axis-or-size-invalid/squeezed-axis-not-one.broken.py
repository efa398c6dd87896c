# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

model = keras.Sequential([keras.Input((5, 4)), keras.layers.Dense(1)])
predictions = model(np.ones((8, 5, 4), "float32"))
targets = np.ones((8, 5), "float32")
# --- shown
values = keras.ops.squeeze(predictions, axis=1)
# --- end
loss = keras.losses.MeanSquaredError()(targets, values)
