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
optimizer = keras.optimizers.Adam(1e-3, clipnorm=1.0)
# --- end
model.compile(optimizer, "mse")
model.fit(np.ones((8, 4)), np.ones((8, 1)), verbose=0)
assert model.optimizer.clipnorm == 1.0 and model.optimizer.clipvalue is None
