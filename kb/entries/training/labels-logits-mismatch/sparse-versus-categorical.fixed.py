# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

features = np.random.default_rng(0).normal(size=(320, 16)).astype("float32")
labels = np.arange(320) % 10
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(10, activation="softmax")])

# --- shown
print(labels[:3])  # [0 1 2]: integers -> sparse; [[1. 0. 0.] ...]: one-hot rows -> categorical_crossentropy
loss = "sparse_categorical_crossentropy"
# --- end
model.compile(optimizer="adam", loss=loss, metrics=["accuracy"])
history = model.fit(features, labels, epochs=1)
assert abs(history.history["loss"][0] - np.log(10)) < 1.5
