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
model = keras.Sequential(
    [
        keras.Input((28, 28)),
        keras.layers.Flatten(),
        keras.layers.Dense(32, activation="relu"),
        keras.layers.Dense(10, activation="softmax"),
    ]
)
features = keras.Model(model.inputs, model.layers[-2].output)
# --- end
pixels = np.random.default_rng(0).random((4, 28, 28), dtype="float32")
assert features(pixels).shape == (4, 32)
print(features.predict(pixels).shape)
