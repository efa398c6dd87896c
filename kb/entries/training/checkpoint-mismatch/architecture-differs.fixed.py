# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

published = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(10)])
published.save("published.keras")
published.save_weights("published.weights.h5")

# --- shown
published = keras.models.load_model("published.keras")
head = keras.layers.Dense(3, name="new_head")(published.layers[-2].output)
model = keras.Model(published.inputs, head)
# --- end
model.compile(optimizer="adam", loss="mse")
assert np.array_equal(model.layers[1].get_weights()[0], published.layers[0].get_weights()[0])
model.fit(np.ones((8, 8)), np.ones((8, 3)), verbose=0)
