# /// script
# requires-python = "==3.8.*"
# dependencies = ["tensorflow-cpu==2.3.*", "protobuf<3.21"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import numpy as np
import tensorflow as tf
from tensorflow import keras

generator = np.random.default_rng(0)
series = generator.normal(size=(256, 20, 4)).astype("float32")
targets = series.sum(axis=(1, 2))
tf.random.set_seed(1)

# --- shown
recurrent = keras.layers.LSTM(32, recurrent_dropout=0.2)
# --- end
model = keras.Sequential([keras.layers.InputLayer((20, 4)), recurrent, keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
history = model.fit(series, targets, epochs=2, verbose=2)
