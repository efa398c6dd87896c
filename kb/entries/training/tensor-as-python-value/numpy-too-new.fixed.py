# /// script
# requires-python = "==3.8.*"
# dependencies = ["tensorflow-cpu==2.2.*", "numpy==1.19.*", "protobuf==3.20.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
# --- shown
import numpy as np
import tensorflow as tf

assert np.lib.NumpyVersion(np.__version__) < "1.20.0", np.__file__
# --- end

model = tf.keras.Sequential([tf.keras.layers.Input((None, 4))])
model.add(tf.keras.layers.LSTM(8))
model.summary()
assert model.output_shape == (None, 8)
