# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
# --- shown
boundaries = [1000, 2000, 3000]
values = [0.1, 0.01, 0.001]
schedule = keras.optimizers.schedules.PiecewiseConstantDecay(boundaries, values)
# --- end
model.compile(keras.optimizers.SGD(schedule), "mse")
model.fit(np.ones((8, 4)), np.ones((8, 1)), verbose=0)
