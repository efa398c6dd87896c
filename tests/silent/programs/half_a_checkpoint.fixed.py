import os
import tempfile

import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(22)
rng = np.random.default_rng(22)
x = rng.normal(size=(400, 6)).astype("float32")
y = (x[:, :1] > 0).astype("float32")


def build():
    model = keras.Sequential(
        [keras.Input((6,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1, activation="sigmoid")]
    )
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    return model


with tempfile.TemporaryDirectory() as folder:
    trained = build()
    trained.fit(x, y, epochs=10, verbose=0)
    path = tf.train.Checkpoint(model=trained).save(os.path.join(folder, "run"))
    again = build()
    tf.train.Checkpoint(model=again).restore(path)
print("answers", again.predict(x, verbose=0).shape)
