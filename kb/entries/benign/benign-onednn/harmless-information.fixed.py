# /// script
# requires-python = "==3.11.*"
# dependencies = ["tensorflow-cpu==2.15.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
# --- shown
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "1"  # before TensorFlow is imported; hides information of the C++ part

import keras
# --- end
import numpy as np

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
history = model.fit(np.ones((32, 4), "float32"), np.ones((32, 1), "float32"), epochs=1, verbose=2)
assert np.isfinite(history.history["loss"][0])
