# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import multiprocessing

import keras
import numpy as np


def load(index):
    return np.full((8, 8, 3), index, "float32")


# --- shown
def main():
    with multiprocessing.get_context("spawn").Pool(2) as pool:  # as on Windows and macOS
        photos = np.stack(pool.map(load, range(8)))
    assert photos.shape == (8, 8, 8, 3)
    model = keras.Sequential([keras.Input((8, 8, 3)), keras.layers.Flatten(), keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
    model.fit(photos, np.zeros((8, 1)), verbose=0)


if __name__ == "__main__":  # a worker imports this file and must not get past this line
    main()
# --- end
