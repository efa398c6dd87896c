# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

features, labels = np.ones((8, 4)), np.ones((8, 1))
# --- shown
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
results = model.evaluate(features, labels, verbose=0, return_dict=True)
loss, accuracy = results["loss"], results["accuracy"]
# --- end
print(loss, accuracy)
assert 0.0 <= accuracy <= 1.0
