# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np
import tensorflow as tf

model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
dataset = tf.data.Dataset.from_tensor_slices(np.ones((8, 3), "float32")).batch(4)


# --- shown
def label(features):
    return features, model(features, training=False)


# --- end
features, labels = next(iter(dataset.map(label)))
assert np.allclose(labels, model.predict(features), atol=1e-5)
