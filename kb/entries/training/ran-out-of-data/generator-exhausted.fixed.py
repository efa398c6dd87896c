# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import keras
import numpy as np

keras.utils.set_random_seed(0)
features = np.random.default_rng(0).normal(size=(320, 16)).astype("float32")
labels = features.sum(axis=1, keepdims=True)
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")


# --- shown
def batches():
    while True:
        for start in range(0, len(features), 32):
            yield features[start : start + 32], labels[start : start + 32]


# --- end


model.fit(batches(), steps_per_epoch=10, epochs=3)
assert int(model.optimizer.iterations) == 10 * 3
