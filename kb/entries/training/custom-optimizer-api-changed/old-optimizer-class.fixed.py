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
class PlainDescent(keras.optimizers.Optimizer):
    def __init__(self, learning_rate=0.01, name="PlainDescent", **settings):
        super().__init__(learning_rate=learning_rate, name=name, **settings)

    def update_step(self, gradient, variable, learning_rate):
        self.assign_sub(variable, keras.ops.cast(learning_rate, variable.dtype) * gradient)


# --- end
assert float(PlainDescent(0.5).learning_rate) == 0.5
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(optimizer=PlainDescent(), loss="mse")
model.fit(np.ones((8, 4)), np.ones((8, 1)), verbose=0)
