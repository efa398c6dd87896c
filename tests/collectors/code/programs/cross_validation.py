"""Five folds, a model for each."""

import numpy as np
import tensorflow as tf
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

X = np.random.rand(500, 20)
y = np.random.randint(0, 2, 500)
scores = []
for fold, (train, test) in enumerate(StratifiedKFold(5, shuffle=True).split(X, y)):
    tf.keras.backend.clear_session()
    scaler = StandardScaler().fit(X[train])
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(16, activation="relu", input_dim=20), tf.keras.layers.Dense(1, activation="sigmoid")]
    )
    model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
    model.fit(scaler.transform(X[train]), y[train], epochs=20, verbose=0)
    _, accuracy = model.evaluate(scaler.transform(X[test]), y[test], verbose=0)
    predictions = model.predict(scaler.transform(X[test]))
    scores.append(accuracy)
    print(fold, accuracy, predictions.mean())
print(np.mean(scores))
