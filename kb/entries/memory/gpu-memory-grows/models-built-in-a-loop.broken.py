# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 300
# exit = 0
# ///
import resource

import keras
import numpy as np

features = np.random.default_rng(0).normal(size=(256, 32)).astype("float32")
labels = features.sum(axis=1, keepdims=True)


def memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def build_model():
    model = keras.Sequential(
        [keras.Input((32,)), *[keras.layers.Dense(64, activation="relu") for _ in range(8)], keras.layers.Dense(1)]
    )
    model.compile(optimizer="adam", loss="mse")
    return model


used = []
# --- shown
for fold in range(15):
    model = build_model()
    history = model.fit(features, labels, epochs=2, verbose=0)
    # --- end
    used.append(memory())
    print(f"fold {fold}: loss {history.history['loss'][-1]:.3f}, memory {used[-1]} MB (+{used[-1] - used[0]} MB)")
