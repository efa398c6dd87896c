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

old = tf_keras.Sequential([tf_keras.Input((8,)), tf_keras.layers.Dense(4, activation="relu"), tf_keras.layers.Dense(1)])
old.save("old_model")  # a SavedModel folder, as Keras 2 wrote by default
batch = np.ones((2, 8), "float32")
expected = old.predict(batch, verbose=0)

# --- shown
old = tf_keras.models.load_model("old_model", compile=False)  # Keras 2 reads what Keras 2 wrote
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(4, activation="relu"), keras.layers.Dense(1)])
model.set_weights(old.get_weights())
model.save("model.keras")
# --- end
assert np.allclose(keras.models.load_model("model.keras").predict(batch, verbose=0), expected)
model.predict(batch, verbose=0)
