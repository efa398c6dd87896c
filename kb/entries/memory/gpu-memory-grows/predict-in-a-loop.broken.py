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

states = np.random.default_rng(0).normal(size=(201, 1, 8)).astype("float32")
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(32, activation="relu"), keras.layers.Dense(2)])


def memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


used = []
# --- shown
for call, state in enumerate(states):
    action = np.argmax(model.predict(state, verbose=0))
    # --- end
    if call % 50 == 0:
        used.append(memory())
        print(f"after {call} calls of predict: memory {used[-1]:.1f} MB (+{used[-1] - used[0]:.1f} MB)")
