# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow-cpu==2.21.*", "keras-tuner", "pillow", "pydot", "tensorboard"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import pathlib

import keras
import numpy as np

# --- shown
import tensorboard

print(tensorboard.__version__)
# --- end
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
board = keras.callbacks.TensorBoard(log_dir="logs")
model.fit(np.ones((8, 4)), np.ones((8, 1)), epochs=1, verbose=0, callbacks=[board])
assert list(pathlib.Path("logs").rglob("events.out.tfevents.*"))
