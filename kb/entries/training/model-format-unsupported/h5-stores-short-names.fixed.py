# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import os
import tempfile

import keras

path = os.path.join(tempfile.mkdtemp(), "model.h5")
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse", metrics=["mae"])
model.save(path)
# --- shown
model = keras.models.load_model(path, compile=False)
model.compile("adam", "mse", metrics=["mae"])
# --- end
print(model.count_params())
assert model.count_params() == 5
