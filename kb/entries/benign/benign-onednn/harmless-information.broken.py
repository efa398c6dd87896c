# /// script
# requires-python = "==3.11.*"
# dependencies = ["tensorflow-cpu==2.15.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# env = { TF_ENABLE_ONEDNN_OPTS = "1" }  # a processor without AVX-512 leaves it off
# ///
import keras
import numpy as np

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(np.ones((32, 4), "float32"), np.ones((32, 1), "float32"), epochs=1, verbose=2)
