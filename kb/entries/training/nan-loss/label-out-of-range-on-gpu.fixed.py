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
features = np.random.default_rng(0).normal(size=(256, 16)).astype("float32")
labels = np.random.default_rng(1).integers(1, 6, size=256)  # five classes, numbered from 1
classes = 5
# --- shown
labels = labels - labels.min()
assert labels.min() >= 0
assert labels.max() < classes
# --- end

model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(classes)])
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile(optimizer="adam", loss=loss, metrics=["sparse_categorical_accuracy"], jit_compile=True)
history = model.fit(features, labels, epochs=3, verbose=2)
assert np.isfinite(history.history["loss"]).all()
