# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import os
import pickle

import keras
import numpy as np

model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
model.compile(loss="mse")
history = model.fit(np.ones((8, 3)), np.ones((8, 2)), epochs=2, verbose=0).history
# --- shown
output = open("history.pkl", "wb")  # noqa: SIM115
pickle.dump(history, output)
# --- end
with open("history.pkl", "rb") as saved:
    print(pickle.load(saved)["loss"])
