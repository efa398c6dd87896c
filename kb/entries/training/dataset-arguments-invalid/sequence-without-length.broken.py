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

model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")


# --- shown
class Batches(keras.utils.PyDataset):
    def __init__(self, features, targets, batch_size):
        super().__init__()
        self.features, self.targets, self.batch_size = features, targets, batch_size

    def __getitem__(self, index):
        rows = slice(index * self.batch_size, (index + 1) * self.batch_size)
        return self.features[rows], self.targets[rows]


# --- end
history = model.fit(Batches(np.ones((10, 3)), np.ones((10, 1)), 4), epochs=1)
