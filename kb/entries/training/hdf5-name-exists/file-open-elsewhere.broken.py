# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import h5py
import keras

model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
# --- shown
target = h5py.File("model.h5", "a")
target.create_group("model_weights")
# --- end
keras.src.legacy.saving.legacy_h5_format.save_model_to_hdf5(model, target)
