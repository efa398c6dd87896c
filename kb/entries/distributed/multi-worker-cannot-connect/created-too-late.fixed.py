# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# workers = 1
# ///
import keras
import numpy as np
import tensorflow as tf

features = np.random.default_rng(0).normal(size=(64, 8)).astype("float32")

# --- shown
strategy = tf.distribute.MultiWorkerMirroredStrategy()  # before any tensor, variable or data set is made
batches = tf.data.Dataset.from_tensor_slices((features, features.sum(axis=1))).batch(16)
# --- end
assert strategy.num_replicas_in_sync == 1

with strategy.scope():
    model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
model.fit(batches, epochs=2, verbose=2)
