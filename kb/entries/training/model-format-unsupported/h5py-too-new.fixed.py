# /// script
# requires-python = "==3.7.*"
# dependencies = ["tensorflow-cpu==2.1.*", "h5py==2.10.*", "protobuf==3.20.*"]
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
assert int(h5py.__version__.split(".")[0]) < 3, "this TensorFlow reads .h5 files with h5py 2.10"
# --- end
model = tf.keras.models.load_model("model.h5")
model.predict(np.ones((1, 4)))
