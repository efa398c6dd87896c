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


def batches():
    for length in (5, 5, 7):
        yield np.ones((8, length, 3), "float32"), np.ones((8, 1), "float32")


# --- shown
data = tf.data.Dataset.from_generator(
    batches,
    output_signature=(
        tf.TensorSpec((None, None, 3), tf.float32),  # None: it varies
        tf.TensorSpec((None, 1), tf.float32),
    ),
)
# --- end
inputs = keras.Input((None, 3))
outputs = keras.layers.Dense(1)(keras.layers.GlobalAveragePooling1D()(inputs))
model = keras.Model(inputs, outputs)
model.compile(optimizer="sgd", loss="mse")
assert sum(1 for _ in data) == 3
model.fit(data, verbose=2)
