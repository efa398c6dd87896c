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
        super().__init__(name, **settings)
        self._set_hyper("learning_rate", learning_rate)

    def _resource_apply_dense(self, gradient, variable, apply_state=None):
        return variable.assign_sub(self._get_hyper("learning_rate") * gradient)


# --- end
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(optimizer=PlainDescent(), loss="mse")
model.fit(np.ones((8, 4)), np.ones((8, 1)), verbose=0)
