# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

images = np.random.default_rng(0).random((64, 28, 28)).astype("float32")
model = keras.Sequential([keras.layers.Conv2D(4, 3), keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")])

# --- shown
batch = images[:8, ..., None]  # (batch, 28, 28, 1); one picture alone: image[None, ..., None]
# --- end
assert batch.shape == (8, 28, 28, 1)
scores = model.predict(batch)
