# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "torch"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import os

# --- shown
os.environ["KERAS_BACKEND"] = "torch"
# --- end

import keras
import numpy as np
import tensorflow as tf

x, y = np.ones((8, 4), "float32"), np.ones((8, 1), "float32")
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
loss_function = keras.losses.MeanSquaredError()
with tf.GradientTape() as tape:
    loss = loss_function(y, model(x))
gradients = tape.gradient(loss, model.trainable_variables)
