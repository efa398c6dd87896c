# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

x, y = np.ones((20, 4)), np.ones((20, 1))
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
# --- shown
steps = len(x) // 32 * 5
schedule = keras.optimizers.schedules.CosineDecay(0.1, decay_steps=steps)
# --- end
model.compile(keras.optimizers.SGD(schedule), "mse")
model.fit(x, y, batch_size=32, epochs=5, verbose=0)
