# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
"""Saving and loading in all three forms."""

import keras
import numpy as np
import tensorflow as tf

features = np.random.default_rng(0).normal(size=(64, 8)).astype("float32")
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(4, activation="relu"), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss=keras.losses.MeanSquaredError())
model.fit(features, features.sum(axis=1), epochs=1, verbose=2)
expected = model.predict(features, verbose=0)

model.save("model.keras")
np.testing.assert_allclose(keras.models.load_model("model.keras").predict(features, verbose=0), expected, rtol=1e-5)
model.save_weights("model.weights.h5")
model.load_weights("model.weights.h5")
model.export("exported")
served = tf.saved_model.load("exported")
np.testing.assert_allclose(served.serve(features), expected, rtol=1e-4, atol=1e-5)
print("all three agree")
