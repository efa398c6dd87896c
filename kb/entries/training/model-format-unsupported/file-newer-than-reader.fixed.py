# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "tf_keras==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

trained = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
trained.save("model.keras")

# --- shown
model = keras.models.load_model("model.keras")  # Keras 3, as the one that wrote the file
# --- end
assert np.array_equal(model.get_weights()[0], trained.get_weights()[0])
model.predict(np.ones((1, 4)), verbose=0)
