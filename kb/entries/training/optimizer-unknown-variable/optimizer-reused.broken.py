# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

x = np.random.default_rng(0).random((32, 4), dtype="float32")
y = x.sum(axis=1, keepdims=True)
optimizer = keras.optimizers.Adam(1e-2)


# --- shown
def build_model():
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile(optimizer=optimizer, loss="mse")
    return model


# --- end
histories = [build_model().fit(x, y, verbose=0) for fold in range(2)]
