# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "tf_keras==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np
import tf_keras

trained = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
# --- shown
trained.save_weights("model.weights.h5")  # where the newer Keras is
model = tf_keras.Sequential([tf_keras.Input((4,)), tf_keras.layers.Dense(1)])  # the same layers, in the older Keras
model.load_weights("model.weights.h5")
# --- end
assert np.array_equal(model.get_weights()[0], trained.get_weights()[0])
model.predict(np.ones((1, 4)), verbose=0)
