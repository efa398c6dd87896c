# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

inputs = keras.Input((8,))
hidden = keras.layers.Dense(16, activation="relu")(inputs)
age = keras.layers.Dense(1, name="age")(hidden)
kind = keras.layers.Dense(3, activation="softmax", name="kind")(hidden)
model = keras.Model(inputs, [age, kind])
features = np.zeros((32, 8), "float32")
targets = [np.zeros((32, 1)), np.zeros((32,))]
# --- shown
metrics = ["mae"]
# --- end
model.compile(optimizer="adam", loss=["mse", "sparse_categorical_crossentropy"], metrics=metrics)
model.fit(features, targets, epochs=1)
