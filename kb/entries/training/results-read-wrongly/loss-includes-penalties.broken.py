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
features = np.random.default_rng(0).normal(size=(256, 8)).astype("float32")
targets = features.sum(axis=1, keepdims=True)
model = keras.Sequential(
    [
        keras.Input((8,)),
        keras.layers.Dense(16, activation="relu", kernel_regularizer=keras.regularizers.L2(0.01)),
        keras.layers.Dense(1),
    ]
)
model.compile(optimizer="adam", loss="mse", metrics=["mse"])
model.fit(features, targets, epochs=3, verbose=2)
# --- shown
results = model.evaluate(features, targets, verbose=0, return_dict=True)
loss = results["loss"]
# --- end
np.testing.assert_allclose(loss, results["mse"], rtol=1e-3)
