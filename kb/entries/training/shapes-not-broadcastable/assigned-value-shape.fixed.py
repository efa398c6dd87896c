# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

weights = np.random.default_rng(0).random((3, 5)).astype("float32")
model = keras.Sequential([keras.Input((5,)), keras.layers.Dense(3)])
layer = model.layers[0]
# --- shown
layer.kernel.assign(weights.T)
# --- end
outputs = model.predict(np.ones((2, 5)), verbose=0)
assert np.allclose(outputs, weights.sum(axis=1), atol=1e-5)
