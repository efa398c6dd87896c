# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# observed = true
# ///
import keras
import numpy as np


# --- shown
def weighted_error(y_true, y_pred):
    return keras.ops.mean(keras.ops.square(y_true - y_pred))
# --- end


model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss=weighted_error)
history = model.fit(np.ones((8, 4)), np.ones((8, 1)), verbose=0)
assert history.history["loss"][0] > 0
