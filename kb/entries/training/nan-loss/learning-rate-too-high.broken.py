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
labels = 10 * features.sum(axis=1, keepdims=True)

model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(32, activation="relu"), keras.layers.Dense(1)])
# --- shown
optimizer = keras.optimizers.SGD(learning_rate=0.5)
# --- end
model.compile(optimizer=optimizer, loss="mse")
history = model.fit(features, labels, batch_size=256, epochs=12, verbose=2)
