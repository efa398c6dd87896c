# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import math

import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(0)
features = np.random.default_rng(0).normal(size=(320, 16)).astype("float32")
labels = features.sum(axis=1, keepdims=True)
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")

# --- shown
dataset = tf.data.Dataset.from_generator(
    lambda: zip(features, labels), output_signature=(tf.TensorSpec((16,), tf.float32), tf.TensorSpec((1,), tf.float32))
).batch(32)
dataset = dataset.apply(tf.data.experimental.assert_cardinality(math.ceil(len(features) / 32)))
# --- end
model.fit(dataset, epochs=2)
assert int(model.optimizer.iterations) == 2 * 10
