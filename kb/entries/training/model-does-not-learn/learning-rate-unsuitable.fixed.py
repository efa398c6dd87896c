# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

keras.utils.set_random_seed(0)
features = np.random.default_rng(0).normal(size=(600, 8)).astype("float32")
labels = (features[:, 0] * features[:, 1] > 0).astype("float32")
model = keras.Sequential(
    [
        keras.Input((8,)),
        keras.layers.Dense(32, activation="relu"),
        keras.layers.Dense(32, activation="relu"),
        keras.layers.Dense(1, activation="sigmoid"),
    ]
)
# --- shown
model.compile(optimizer=keras.optimizers.Adam(0.01), loss="binary_crossentropy", metrics=["accuracy"])
# --- end
history = model.fit(features, labels, epochs=10, verbose=2)
assert history.history["loss"][-1] < 0.5 * history.history["loss"][0]
