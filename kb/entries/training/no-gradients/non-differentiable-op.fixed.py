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
def loss_of_errors(labels, scores):
    right = tf.gather(tf.nn.softmax(scores), tf.cast(labels[:, 0], tf.int32), axis=1, batch_dims=1)
    return tf.reduce_mean(1.0 - right)  # the expected share of errors: smooth


# --- end
x = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
y = (x.sum(axis=1, keepdims=True) > 0).astype("int32")
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(2)])
model.compile(optimizer=keras.optimizers.Adam(0.05), loss=loss_of_errors)
history = model.fit(x, y, epochs=5, verbose=0)
assert history.history["loss"][-1] < history.history["loss"][0]
