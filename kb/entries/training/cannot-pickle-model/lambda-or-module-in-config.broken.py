# /// script
# requires-python = "==3.8.*"
# dependencies = ["tensorflow-cpu==2.9.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf

inputs = tf.keras.Input((4,))
# --- shown
outputs = tf.keras.layers.Lambda(lambda x, library: library.nn.l2_normalize(x, axis=-1), arguments={"library": tf})(inputs)
# --- end
model = tf.keras.Model(inputs, outputs)
model.save("model.h5")
model.predict(np.ones((1, 4)))
