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

images = np.random.default_rng(0).random((32, 16), dtype="float32")

# --- shown
dataset = tf.data.Dataset.from_tensor_slices((images, images)).batch(8)
# --- end
autoencoder = keras.Sequential([keras.Input((16,)), keras.layers.Dense(4), keras.layers.Dense(16)])
autoencoder.compile(optimizer="adam", loss="mse")
history = autoencoder.fit(dataset, epochs=2, verbose=0)
assert np.isfinite(history.history["loss"]).all()
