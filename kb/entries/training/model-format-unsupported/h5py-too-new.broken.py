# /// script
# requires-python = "==3.7.*"
# dependencies = ["tensorflow-cpu==2.1.*", "h5py==3.*", "protobuf==3.20.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import h5py
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.save("model.h5")

# --- shown
print("h5py", h5py.__version__)
# --- end
model = tf.keras.models.load_model("model.h5")
model.predict(np.ones((1, 4)))
