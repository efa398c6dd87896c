"""A number of steps over data without an end."""

import numpy as np
import tensorflow as tf

x, y = np.zeros((1000, 8), "float32"), np.zeros((1000, 1), "float32")
train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).repeat().batch(50)
test = tf.data.Dataset.from_tensor_slices((x, y)).batch(50)
model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(8,)), tf.keras.layers.Dense(1)])
model.compile(loss="mae", optimizer="rmsprop")
model.fit(train, epochs=10, steps_per_epoch=100, validation_data=test)
