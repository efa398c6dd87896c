# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np


def build_model():
    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])


trained = build_model()
trained.save_weights("model.weights.h5")

# --- shown
model = build_model()
model.load_weights("model.weights.h5")
# --- end
assert np.array_equal(model.get_weights()[0], trained.get_weights()[0])
model.predict(np.ones((1, 4)), verbose=0)
