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

rng = np.random.default_rng(0)
model = keras.Sequential([keras.layers.LSTM(4), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")


def samples():
    for _ in range(32):
        yield rng.normal(size=(20, 3)).astype("float32"), np.float32(0)


# --- shown
signature = (tf.TensorSpec((20, 3), tf.float32), tf.TensorSpec((), tf.float32))  # write None for a size that varies
model.fit(tf.data.Dataset.from_generator(samples, output_signature=signature).batch(8), epochs=1)
# --- end
assert model.built
