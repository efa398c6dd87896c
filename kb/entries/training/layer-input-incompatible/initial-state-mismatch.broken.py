# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import keras
from keras import layers

source = keras.Input((6, 3))
target = keras.Input((4, 2))
# --- shown
encoder = layers.Bidirectional(layers.LSTM(8, return_state=True))
_, *states = encoder(source)
decoded = layers.LSTM(8)(target, initial_state=states)
# --- end
model = keras.Model([source, target], layers.Dense(1)(decoded))
steps, start = np.random.rand(8, 6, 3), np.random.rand(8, 4, 2)
result = model.predict([steps, start], verbose=0)
