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
# --- shown
model.compile(optimizer="adam", loss="mean_square_error")
# --- end
history = model.fit(np.zeros((16, 4), "float32"), np.ones((16, 1)), epochs=1)
