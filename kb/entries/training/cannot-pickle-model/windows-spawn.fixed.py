# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import multiprocessing

import numpy as np


# --- shown
def load_batch(seed):
    return np.random.default_rng(seed).normal(size=(8, 4))


def main():
    import keras

    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        batches = pool.map(load_batch, range(4))
    assert [batch.shape for batch in batches] == [(8, 4)] * 4
    for batch in batches:
        model.train_on_batch(batch, batch[:, :1])


# --- end
if __name__ == "__main__":
    main()
