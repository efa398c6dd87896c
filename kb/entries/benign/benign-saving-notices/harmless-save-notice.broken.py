# /// script
# requires-python = "==3.8.*"
# dependencies = ["tensorflow-cpu==2.9.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.LSTM(4, input_shape=(8, 2)), tf.keras.layers.Dense(1)])
# --- shown
model.save("model")
loaded = tf.keras.models.load_model("model")
# --- end
print(loaded.predict(np.ones((1, 8, 2)), verbose=0).shape)
