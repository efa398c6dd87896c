# /// script
# requires-python = "==3.10.*"
# dependencies = ["tensorflow-cpu==2.15.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
"""The same kind of model on TensorFlow 2.15."""

import numpy as np
import tensorflow as tf

features = np.random.RandomState(0).normal(size=(64, 8)).astype("float32")
strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(16, activation="relu", input_shape=(8,)), tf.keras.layers.Dropout(0.1), tf.keras.layers.Dense(1)]
    )
    model.compile(optimizer="adam", loss="mse", metrics=["mae"])
model.fit(features, features.sum(axis=1), epochs=3, batch_size=16, validation_split=0.25)
model.save("saved.h5")
print(tf.__version__, tf.config.list_physical_devices())
