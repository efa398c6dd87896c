# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 75
# exit = "hangs"
# ///
import faulthandler
import multiprocessing

import keras
import numpy as np
import tensorflow as tf


def score(seed):
    candidate = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
    return float(candidate.predict(np.full((16, 8), seed), verbose=0).mean())


if __name__ == "__main__":
    faulthandler.dump_traceback_later(15)
    tf.config.set_logical_device_configuration(
        tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2
    )
    strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    print("Number of devices:", strategy.num_replicas_in_sync)
    with strategy.scope():
        model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
        model.compile(optimizer="sgd", loss="mse")
    model.fit(np.ones((64, 8)), np.ones((64, 1)), epochs=1, verbose=2)

    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        scores = pool.map(score, range(4))
    print("scores of", len(scores), "candidates")
