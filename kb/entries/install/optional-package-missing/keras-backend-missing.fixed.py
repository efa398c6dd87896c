# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
# --- shown
import os

os.environ["KERAS_BACKEND"] = "tensorflow"  # before the first import of keras

# --- end
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
assert keras.backend.backend() == "tensorflow"
assert model.count_params() == 5
