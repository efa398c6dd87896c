# /// script
# requires-python = "==3.8.*"
# dependencies = ["tensorflow-cpu==2.5.*", "protobuf<3.21"]
#
# [tool.tfhelp]
# timeout = 300
# ///
import numpy as np
from tensorflow import keras

rng = np.random.default_rng(0)
features = rng.normal(size=(64, 8)).astype("float32")
labels = rng.integers(0, 2, (64, 1))
# --- shown
model = keras.Sequential([keras.layers.Dense(1, activation="sigmoid", input_shape=(8,))])
model.compile("adam", keras.losses.BinaryCrossentropy(), metrics=[keras.metrics.AUC(name="auc")])
# --- end
history = model.fit(features, labels, epochs=1)
assert 0 <= history.history["auc"][0] <= 1
