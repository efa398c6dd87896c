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
features = np.random.default_rng(0).normal(size=(256, 16)).astype("float32")
features[:, 3] = 1.0  # a column that is the same in every sample
labels = features.sum(axis=1, keepdims=True)

# --- shown
features = (features - features.mean(axis=0)) / features.std(axis=0)
# --- end

model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(16, activation="tanh"), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
history = model.fit(features, labels, epochs=3, verbose=2)
