# /// script
# requires-python = "==3.9.*"
# dependencies = ["tensorflow-cpu==2.8.*", "numpy<1.24", "protobuf<3.21"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import numpy as np
import tensorflow as tf

x, y = np.random.default_rng(0).normal(size=(64, 4)).astype("float32"), np.zeros(64, "float32")
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")

stop = tf.keras.callbacks.EarlyStopping(monitor="loss", patience=1, start_from_epoch=2)
model.fit(x, y, epochs=5, verbose=0, callbacks=[stop])
