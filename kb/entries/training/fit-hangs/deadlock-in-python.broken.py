# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 75
# exit = "hangs"
# observed = true
# ///
import threading

import keras
import numpy as np
import tensorflow as tf

model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
guard = threading.Lock()  # one user of the model at a time


def batches():
    for seed in range(4):
        features = np.random.default_rng(seed).normal(size=(16, 8)).astype("float32")
        # --- shown
        with guard:
            targets = model.predict_on_batch(features) + 1
        # --- end
        yield features, targets


signature = (tf.TensorSpec((16, 8), tf.float32), tf.TensorSpec((16, 1), tf.float32))
dataset = tf.data.Dataset.from_generator(batches, output_signature=signature)
with guard:
    model.fit(dataset, epochs=1)
