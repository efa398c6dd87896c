# /// script
# requires-python = "==3.11.*"
# dependencies = ["tensorflow==2.16.*"]
#
# [tool.tfhelp]
# timeout = 180
# exit = 0
# ///
# --- shown
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"  # before TensorFlow is imported; hides warnings of the C++ part

import keras
# --- end
import numpy as np

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
history = model.fit(np.ones((32, 4), "float32"), np.ones((32, 1), "float32"), epochs=1, verbose=2)
assert np.isfinite(history.history["loss"][0])
