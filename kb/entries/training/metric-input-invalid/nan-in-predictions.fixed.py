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
features[5, 2] = np.nan  # an empty cell of the table
labels = rng.integers(0, 2, (64, 1))
model = keras.Sequential([keras.layers.Dense(1, activation="sigmoid", input_shape=(8,))])
model.compile("adam", "binary_crossentropy", metrics=[keras.metrics.AUC(name="auc")])
# --- shown
complete = np.isfinite(features).all(axis=1)
features, labels = features[complete], labels[complete]
# --- end
history = model.fit(features, labels, epochs=1)
assert 0 <= history.history["auc"][0] <= 1
