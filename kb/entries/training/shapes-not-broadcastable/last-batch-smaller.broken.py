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

latent, batch_size = 2, 32


class Sampling(keras.layers.Layer):
    def call(self, inputs):
        mean, log_variance = inputs
        # --- shown
        noise = tf.random.normal((batch_size, latent))
        # --- end
        return mean + tf.exp(0.5 * log_variance) * noise


inputs = keras.Input((8,))
code = Sampling()([keras.layers.Dense(latent)(inputs), keras.layers.Dense(latent)(inputs)])
model = keras.Model(inputs, keras.layers.Dense(8)(code))
model.compile(optimizer="adam", loss="mse")
data = np.random.default_rng(0).normal(size=(100, 8)).astype("float32")  # 3 batches of 32 and one of 4
history = model.fit(data, data, batch_size=batch_size, epochs=1)
