# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(0)
features = np.random.default_rng(0).normal(size=(320, 16)).astype("float32")
labels = features.sum(axis=1, keepdims=True)
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(32)
# --- shown
steps = None  # one pass per epoch; if a number is needed, use int(dataset.cardinality()) or len(generator)
model.fit(dataset, steps_per_epoch=steps, epochs=2)
# --- end
assert int(model.optimizer.iterations) == 2 * int(dataset.cardinality())
