# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

steps, targets = np.zeros((20, 5, 3)), np.zeros((20, 1))
# --- shown
model = keras.Sequential([keras.Input(batch_shape=(8, 5, 3)), keras.layers.LSTM(4, stateful=True), keras.layers.Dense(1)])
whole = len(steps) // 8 * 8
steps, targets = steps[:whole], targets[:whole]
# --- end
model.compile("adam", "mse")
model.fit(steps, targets, batch_size=8, shuffle=False, verbose=2)
assert model.input_shape == (8, 5, 3)
