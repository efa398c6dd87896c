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

signals = np.random.default_rng(0).normal(size=(64, 16)).astype("float32")
model = keras.Sequential([keras.layers.Dense(4), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")


def spectrum(signal):
    return np.abs(np.fft.fft(signal)).astype("float32")


def prepare(signal):
    values = tf.numpy_function(spectrum, [signal], tf.float32)
    # --- shown
    values.set_shape((16,))  # numpy_function loses the shape, so set it
    # --- end
    return values, 0.0


model.fit(tf.data.Dataset.from_tensor_slices(signals).map(prepare).batch(8), epochs=1)
assert model.built
