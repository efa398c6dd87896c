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
labels = keras.utils.to_categorical(np.arange(320) % 12)

# --- shown
classes = labels.shape[1]  # for integer labels: int(labels.max()) + 1
# --- end
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(classes, activation="softmax")])
model.compile(optimizer="adam", loss="categorical_crossentropy")
assert model.output_shape[-1] == labels.shape[-1]
model.fit(features, labels, epochs=1)
