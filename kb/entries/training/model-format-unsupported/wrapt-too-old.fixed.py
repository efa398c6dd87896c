# /// script
# requires-python = "==3.12.*"
# dependencies = ["tensorflow-cpu==2.18.*", "wrapt==2.2.0"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import numpy as np
import tensorflow as tf

inputs = tf.keras.Input((4,))
model = tf.keras.Model(inputs, {"price": tf.keras.layers.Dense(1)(inputs)})
model.compile("sgd", {"price": "mse"})
model.fit(np.ones((8, 4)), {"price": np.ones((8, 1))}, verbose=0)
tf.saved_model.save(model, "exported")
assert tf.saved_model.load("exported").signatures["serving_default"]
