"""A custom model class with its own train_step."""

import keras
import numpy as np
import tensorflow as tf


class Regressor(keras.Model):
    def __init__(self, units=32):
        super().__init__()
        self.hidden = keras.layers.Dense(units, activation="relu")
        self.dropout = keras.layers.Dropout(0.2)
        self.out = keras.layers.Dense(1)
        self.loss_tracker = keras.metrics.Mean(name="loss")

    def call(self, inputs, training=None):
        x = self.hidden(inputs)
        if training:
            x = self.dropout(x, training=training)
        return self.out(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            predictions = self(x, training=True)
            loss = tf.reduce_mean(tf.square(predictions - y))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}


x = np.random.rand(512, 16)
y = np.random.rand(512, 1)
model = Regressor()
model.compile(optimizer=keras.optimizers.Adam(1e-3))
model.fit(x, y, epochs=3)
model.summary()
model.save_weights("regressor.weights.h5")
