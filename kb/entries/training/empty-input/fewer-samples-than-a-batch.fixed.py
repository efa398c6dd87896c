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
    def __init__(self, features, targets, batch_size):
        super().__init__()
        self.features, self.targets, self.batch_size = features, targets, batch_size

    def __len__(self):
        # --- shown
        return math.ceil(len(self.features) / self.batch_size)

    # --- end

    def __getitem__(self, index):
        chosen = slice(index * self.batch_size, (index + 1) * self.batch_size)
        return self.features[chosen], self.targets[chosen]


model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
batches = Batches(np.zeros((20, 4), "float32"), np.zeros((20, 1)), batch_size=32)
history = model.fit(batches, epochs=1)
assert len(batches) == 1 and len(history.history["loss"]) == 1
