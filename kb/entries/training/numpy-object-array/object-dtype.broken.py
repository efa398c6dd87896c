# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

sequences = [[3, 1, 4], [1, 5], [9, 2, 6, 5]] * 8
labels = np.ones(24)
model = keras.Sequential([keras.layers.Embedding(10, 4), keras.layers.GlobalAveragePooling1D(), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")

# --- shown
x = np.array(sequences)
# --- end
model.fit(x, labels, epochs=1)
