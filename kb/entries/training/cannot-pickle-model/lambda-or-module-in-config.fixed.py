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
outputs = tf.keras.layers.Lambda(lambda x: tf.nn.l2_normalize(x, axis=-1))(inputs)
# --- end
model = tf.keras.Model(inputs, outputs)
model.save("model.h5")
assert np.allclose(tf.keras.models.load_model("model.h5").predict(np.ones((1, 4))), 0.5)
model.predict(np.ones((1, 4)))
