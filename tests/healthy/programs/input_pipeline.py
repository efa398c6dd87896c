# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
"""A tf.data pipeline with everything that one has, read to its end."""

import keras
import tensorflow as tf

data = (
    tf.data.Dataset.range(256)
    .map(lambda number: (tf.one_hot(number % 8, 8), tf.cast(number % 8, tf.float32)), num_parallel_calls=tf.data.AUTOTUNE)
    .cache()
    .shuffle(256, seed=0, reshuffle_each_iteration=True)
    .batch(32, drop_remainder=True)
    .prefetch(tf.data.AUTOTUNE)
)
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse", steps_per_execution=2)
model.fit(data, epochs=3, verbose=2)
