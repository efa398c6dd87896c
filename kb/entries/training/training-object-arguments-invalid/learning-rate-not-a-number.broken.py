# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import json

import keras
import numpy as np

config = json.loads('{"learning_rate": "1e-3"}')
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
# --- shown
optimizer = keras.optimizers.Adam(learning_rate=config["learning_rate"])
# --- end
model.compile(optimizer, "mse")
model.fit(np.ones((8, 4)), np.ones((8, 1)), verbose=0)
