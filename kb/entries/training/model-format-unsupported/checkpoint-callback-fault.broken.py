# /// script
# requires-python = "==3.11.*"
# dependencies = ["tensorflow-cpu==2.14.0", "numpy<2"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import os

import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
model.compile("sgd", "mse")
# --- shown
best = tf.keras.callbacks.ModelCheckpoint("best.keras", monitor="loss", save_best_only=True)
# --- end
model.fit(np.ones((4, 2)), np.ones((4, 1)), callbacks=[best], verbose=0)
