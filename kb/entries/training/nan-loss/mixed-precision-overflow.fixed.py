# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

# --- shown
keras.config.set_dtype_policy("mixed_float16")
# --- end
keras.utils.set_random_seed(0)
features = np.random.default_rng(0).normal(size=(256, 16)).astype("float32")
labels = features.sum(axis=1, keepdims=True)

model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1, dtype="float32")])
model.compile(optimizer="adam", loss="mse")
print("Policy:", model.layers[0].dtype_policy)
history = model.fit(features, labels, epochs=3, verbose=2)
assert np.isfinite(history.history["loss"]).all()
