# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf

x, y = np.random.default_rng(0).normal(size=(64, 4)).astype("float32"), np.zeros(64, "float32")
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")

stop = tf.keras.callbacks.EarlyStopping(monitor="loss", patient=3)
model.fit(x, y, epochs=2, verbose=0, callbacks=[stop])
