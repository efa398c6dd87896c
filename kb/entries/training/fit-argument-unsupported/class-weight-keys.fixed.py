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
features, labels = rng.normal(size=(100, 4)).astype("float32"), (np.arange(100) % 10 == 0).astype(int)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, activation="sigmoid")])
model.compile(optimizer="adam", loss="binary_crossentropy")
# --- shown
counts = np.bincount(labels)
class_weight = {label: len(labels) / (len(counts) * count) for label, count in enumerate(counts)}  # {0: 0.56, 1: 5.0}
# --- end
assert set(class_weight) == set(labels.tolist())
model.fit(features, labels, epochs=1, class_weight=class_weight)
