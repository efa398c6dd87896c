# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

rng = np.random.default_rng(0)
images = [rng.random((28, 28)).astype("float32") for _ in range(50)]
labels = np.arange(50) % 10
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
# --- shown
features = images
# --- end
model.fit(features, labels, epochs=1)
