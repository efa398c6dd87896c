"""A layer that samples, and a loss with a logarithm that is safe."""

import keras
import numpy as np
from keras import layers, ops


class Sampling(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.seed_generator = keras.random.SeedGenerator(1337)

    def call(self, inputs):
        mean, log_var = inputs
        epsilon = keras.random.normal(shape=ops.shape(mean), seed=self.seed_generator)
        return mean + ops.exp(0.5 * log_var) * epsilon


def reconstruction_loss(truth, output):
    positive = truth * ops.log(output + 1e-7)
    negative = (1 - truth) * ops.log(1 - output + 1e-7)
    return -ops.mean(positive + negative)


inputs = keras.Input((784,))
hidden = layers.Dense(64, activation="relu")(inputs)
mean, log_var = layers.Dense(2)(hidden), layers.Dense(2)(hidden)
code = Sampling()([mean, log_var])
output = layers.Dense(784, activation="sigmoid")(layers.Dense(64, activation="relu")(code))
model = keras.Model(inputs, output)
model.compile(optimizer=keras.optimizers.Adam(), loss=reconstruction_loss)
x = np.random.rand(256, 784).astype("float32")
model.fit(x, x, epochs=3, batch_size=128)
