# /// script
# requires-python = "==3.11.*"
# dependencies = ["tensorflow-cpu==2.17.*", "keras==3.5.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import keras
import numpy as np
import tensorflow as tf

print("Keras version:", keras.__version__)
keras.utils.set_random_seed(0)
features = np.random.default_rng(0).normal(size=(320, 16)).astype("float32")
labels = features.sum(axis=1, keepdims=True)
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(32)
# --- shown
options = {"epochs": 4}  # no steps_per_epoch, and no validation_steps
model.fit(dataset, verbose=2, **options)
# --- end
assert int(model.optimizer.iterations) == 4 * int(dataset.cardinality())
