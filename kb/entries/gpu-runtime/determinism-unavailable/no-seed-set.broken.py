# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np
import tensorflow as tf

# --- shown
tf.config.experimental.enable_op_determinism()
# --- end
features = np.linspace(-1, 1, 256, dtype="float32").reshape(64, 4)
labels = features.sum(axis=1, keepdims=True)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8), keras.layers.Dropout(0.2), keras.layers.Dense(1)])
noisy = features + tf.random.normal(features.shape, stddev=0.01)
model.compile(optimizer="adam", loss="mse")
history = model.fit(noisy, labels, epochs=2, verbose=2)
