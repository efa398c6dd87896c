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
dropout = keras.layers.Dropout(25)
# --- end
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="relu"), dropout, keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
history = model.fit(np.ones((8, 4)), np.ones((8, 1)), verbose=0)
