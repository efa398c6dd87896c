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

rng = np.random.default_rng(0)
features = tf.constant(rng.normal(size=(32, 8)), tf.float32)
targets = tf.constant(rng.normal(size=(32, 10)), tf.float32)
weights = tf.constant(rng.random(32), tf.float32)  # one weight for each sample
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(10)])

with tf.GradientTape() as tape:
    error = tf.square(targets - model(features, training=True))
    # --- shown
    loss = tf.reduce_mean(tf.reduce_mean(error, axis=-1) * weights)  # [32, 10] -> [32], then times [32]
# --- end
gradients = tape.gradient(loss, model.trainable_variables)
assert all(gradient is not None for gradient in gradients)
