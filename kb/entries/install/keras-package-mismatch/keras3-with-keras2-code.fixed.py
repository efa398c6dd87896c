# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "tf_keras==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
# --- shown
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"  # before the first import of TensorFlow

import tensorflow as tf
import tf_keras

# --- end
layer = tf_keras.layers.Dense(1)  # as a library that was written for Keras 2 makes it
assert isinstance(layer, tf.keras.layers.Layer)
model = tf.keras.Sequential([tf.keras.Input((4,)), layer])
model.compile("sgd", "mse")
model.fit(tf.random.normal((32, 4), seed=1), tf.zeros((32, 1)), epochs=1, verbose=2)
