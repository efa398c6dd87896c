# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np


class Batches(keras.utils.PyDataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return np.zeros((8, 4), "float32"), np.zeros((8, 1))


model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
# --- shown
batches = Batches(workers=4, max_queue_size=20)  # in Keras 3 these belong to the data set
model.fit(batches, epochs=1)
# --- end
assert batches.workers == 4
