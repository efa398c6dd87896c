# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import pickle
import threading

import keras
import numpy as np


# --- shown
class Trainer:
    def __init__(self, model):
        self.model = model
        self.lock = threading.Lock()

    def __getstate__(self):
        state = dict(self.__dict__)
        del state["lock"]  # a lock belongs to this process
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.lock = threading.Lock()


# --- end
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
trainer = Trainer(model)
with open("trainer.pickle", "wb") as file:
    pickle.dump(trainer, file)
with open("trainer.pickle", "rb") as file:
    restored = pickle.load(file)
assert np.array_equal(restored.model.get_weights()[0], model.get_weights()[0])
restored.model.predict(np.ones((1, 4)), verbose=0)
