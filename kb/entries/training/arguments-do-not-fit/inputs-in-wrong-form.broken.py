# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np


# --- shown
class Ranker(keras.Model):
    def __init__(self):
        super().__init__()
        self.score = keras.layers.Dense(1)

    def call(self, query, item):
        return self.score(query) * self.score(item)


# --- end
model = Ranker()
model.compile("adam", "mse")
queries, items, labels = np.ones((8, 4)), np.ones((8, 4)), np.ones((8, 1))
model.fit([queries, items], labels, verbose=0)
