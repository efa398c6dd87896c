# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np
import tensorflow as tf

trained = keras.Sequential([keras.Input((4,), name="features"), keras.layers.Dense(1)])
trained.export("exported", verbose=False)

batch = np.ones((2, 4), "float32")
# --- shown
model = tf.saved_model.load("exported")
predictions = model.predict(batch)
# --- end
print(predictions)
