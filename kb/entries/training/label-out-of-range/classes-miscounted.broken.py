# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

features = np.random.default_rng(0).normal(size=(320, 16)).astype("float32")
labels = np.arange(320) % 5 + 1  # as the data set has them: 1 to 5
# --- shown
classes = len(np.unique(labels))
# --- end
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(classes, activation="softmax")])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", jit_compile=False)
model.fit(features, labels, epochs=1)
