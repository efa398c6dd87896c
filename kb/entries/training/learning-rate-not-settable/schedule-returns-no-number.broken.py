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
def plan(epoch, rate):
    if epoch >= 1:
        return rate * 0.9


# --- end
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(keras.optimizers.Adam(0.01), "mse")
callback = keras.callbacks.LearningRateScheduler(plan)
model.fit(np.ones((8, 4)), np.ones((8, 1)), epochs=2, callbacks=[callback], verbose=0)
