# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse", metrics=["mae"])
history = model.fit(np.ones((8, 4)), np.ones((8, 1)), epochs=2, verbose=0)
# --- shown
print(list(history.history))  # the names that exist
losses = history.history["loss"]
# --- end
best = np.min(losses)
assert len(losses) == 2
