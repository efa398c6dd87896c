# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "scikit-learn==1.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np
from sklearn.model_selection import cross_val_score

# --- shown
from tensorflow.keras.wrappers.scikit_learn import KerasClassifier


# --- end
def build(X, y):
    model = keras.Sequential([keras.Input((X.shape[1],)), keras.layers.Dense(2, activation="softmax")])
    model.compile(optimizer="adam", loss="categorical_crossentropy")
    return model


rng = np.random.default_rng(0)
features, labels = rng.normal(size=(60, 4)), np.arange(60) % 2
scores = cross_val_score(KerasClassifier(build, fit_kwargs={"verbose": 0}), features, labels, cv=3)
