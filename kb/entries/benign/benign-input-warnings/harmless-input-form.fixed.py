# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# env = { TF_CPP_MIN_LOG_LEVEL = "3" }
# ///
import keras
import numpy as np


# --- shown
class Batches(keras.utils.PyDataset):
    def __init__(self, count, **kwargs):
        super().__init__(**kwargs)
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return np.ones((4, 3), "float32"), np.ones((4, 1), "float32")


model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
# --- end
model.compile(optimizer="sgd", loss="mse")
assert Batches(2, workers=1).workers == 1
model.fit(Batches(2), verbose=0)
