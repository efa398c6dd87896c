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
areas = np.random.default_rng(0).uniform(10_000, 250_000, size=(256, 4)).astype("float32")
prices = areas.mean(axis=1, keepdims=True) / 250_000

policy = keras.mixed_precision.DTypePolicy("mixed_float16")
keras.config.set_dtype_policy(policy)
print("Compute dtype:", policy.compute_dtype, "Variable dtype:", policy.variable_dtype)
# --- shown
model = keras.Sequential(
    [
        keras.Input((4,)),
        keras.layers.Dense(16, activation="relu"),
        keras.layers.Dense(1),
    ]
)
# --- end
model.compile(optimizer="adam", loss="mse")
history = model.fit(areas, prices, epochs=3, verbose=2)
