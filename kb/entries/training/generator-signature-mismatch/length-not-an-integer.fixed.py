# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import math

import keras
import numpy as np


class Batches(keras.utils.PyDataset):
    def __init__(self, values, batch_size):
        super().__init__()
        self.values, self.batch_size, self.read = values, batch_size, set()

    # --- shown
    def __len__(self):
        return math.ceil(len(self.values) / self.batch_size)

    # --- end
    def __getitem__(self, index):
        part = self.values[index * self.batch_size : (index + 1) * self.batch_size]
        self.read.update(part)
        return np.reshape(part, (-1, 1)), np.reshape(part, (-1, 1))


batches = Batches([math.sqrt(number) for number in range(10)], 4)
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(batches, verbose=0)
assert len(batches) == 3 and len(batches.read) == 10, batches.read
