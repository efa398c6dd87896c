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


# --- end
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
trainer = Trainer(model)
with open("trainer.pickle", "wb") as file:
    pickle.dump(trainer, file)
with open("trainer.pickle", "rb") as file:
    restored = pickle.load(file)
restored.model.predict(np.ones((1, 4)), verbose=0)
