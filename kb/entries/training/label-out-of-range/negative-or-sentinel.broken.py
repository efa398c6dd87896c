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
classes = ["cat", "dog", "horse"]
names = np.array(["cat", "dog", "horse", "mule"] * 80)
labels = np.array([classes.index(name) if name in classes else -1 for name in names])
# --- shown
print("Samples:", len(labels))
# --- end
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(len(classes), activation="softmax")])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", jit_compile=False)
model.fit(features, labels, epochs=1)
