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
trained.save("model.keras")

# --- shown
model = tf_keras.models.load_model("model.keras")
# --- end
model.predict(np.ones((1, 4)), verbose=0)
