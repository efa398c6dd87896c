# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import os

import keras
import numpy as np

trained = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
trained.save("trained.keras")
os.rename("trained.keras", "model.h5")

# --- shown
path = "model.h5"
# --- end
model = keras.models.load_model(path)
model.predict(np.ones((1, 4)), verbose=0)
