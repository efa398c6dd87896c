# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import os
import zipfile

import h5py
import keras
import numpy as np

trained = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
trained.save("trained.keras")
os.rename("trained.keras", "model.h5")

path = "model.h5"
# --- shown
if zipfile.is_zipfile(path):
    ending = ".keras"
elif h5py.is_hdf5(path):
    ending = ".h5"
else:
    with open(path, "rb") as file:
        raise ValueError(f"{path} is not a model, {os.path.getsize(path)} bytes: {file.read(60)!r}")
if not path.endswith(ending):
    os.rename(path, path := os.path.splitext(path)[0] + ending)
# --- end
assert path == "model.keras"
model = keras.models.load_model(path)
model.predict(np.ones((1, 4)), verbose=0)
