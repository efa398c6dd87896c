# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

# --- shown
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
# --- end
x = np.random.default_rng(0).random((32, 4), dtype="float32")
history = model.fit(x, x.sum(axis=1), epochs=2, verbose=0)
