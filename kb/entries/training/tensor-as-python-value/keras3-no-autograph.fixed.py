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
def asymmetric_loss(y_true, y_pred):
    error = tf.reduce_mean(y_true - y_pred)
    return tf.where(error > 0.0, 2.0 * error, -error)


# --- end
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss=asymmetric_loss)
x = np.random.default_rng(0).random((32, 4), dtype="float32")
history = model.fit(x, x.sum(axis=1, keepdims=True), verbose=0)
assert history.history["loss"][0] >= 0.0
