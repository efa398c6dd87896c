# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow[and-cuda]==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# env = { TF_FORCE_GPU_ALLOW_GROWTH = "true" }
# needs = ["nvidia-smi"]
# ///
import keras
import numpy as np
import tensorflow as tf


class Smooth(keras.layers.Layer):
    """Averages neighbours with NumPy."""

    def call(self, inputs):
        smooth = tf.numpy_function(lambda values: (values + np.roll(values, 1, axis=1)) / 2, [inputs], tf.float32)
        return tf.ensure_shape(smooth, inputs.shape)


features = np.random.default_rng(0).random((256, 32), dtype="float32")
labels = features.sum(axis=1)
model = keras.Sequential([keras.Input((32,)), Smooth(), keras.layers.Dense(1)])
# --- shown
model.compile(optimizer="adam", loss="mse", jit_compile=False)
# --- end
model.fit(features, labels, epochs=1, verbose=2)
assert int(model.optimizer.iterations) == 8
