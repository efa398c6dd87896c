# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, activation="sigmoid")])
# --- shown
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
# --- end
history = model.fit(np.ones((8, 4)), np.ones((8, 1)), verbose=0)
assert "accuracy" in history.history
