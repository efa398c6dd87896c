# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

published = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(10)])
published.save("published.keras")
published.save_weights("published.weights.h5")

# --- shown
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(3)])
model.load_weights("published.weights.h5")
# --- end
model.compile(optimizer="adam", loss="mse")
model.fit(np.ones((8, 8)), np.ones((8, 3)), verbose=0)
