# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "scikit-learn==1.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np
from sklearn.metrics import confusion_matrix

keras.utils.set_random_seed(0)
features = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
labels = np.arange(64) % 3
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(features, labels, epochs=1, verbose=2)
# --- shown
predicted = model.predict(features)
print(confusion_matrix(labels, predicted))
# --- end
