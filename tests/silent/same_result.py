"""Trains in every way that the hook observes, and prints the results: they must be the same with and without the hook."""

import hashlib
import random
import sys

import keras as keras3
import numpy as np
import tensorflow as tf
import tf_keras


def digest(arrays):
    return hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()[:16]


def build(keras):
    layers = keras.layers
    model = keras.Sequential(
        [
            keras.Input((6,)),
            layers.Dense(16, activation="relu"),
            layers.BatchNormalization(),
            layers.Dropout(0.3),
            layers.GaussianNoise(0.1),
            layers.Dense(3),
        ]
    )
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    return model


def fit(keras, x, y):
    keras.utils.set_random_seed(3)
    model = build(keras)
    history = model.fit(x, y, validation_split=0.2, epochs=3, batch_size=16, verbose=0)
    data = (
        tf.data.Dataset.from_tensor_slices((x, y))
        .shuffle(100, seed=5)
        .map(lambda a, b: (a + tf.random.normal((6,)), b))
        .batch(16)
    )
    model.fit(data, epochs=2, verbose=0, validation_data=data)
    scores = model.evaluate(x, y, verbose=0)
    return digest([*model.get_weights(), np.array(history.history["loss"]), np.array(scores), model.predict(x, verbose=0)])


def loop(keras, x, y, traced):
    keras.utils.set_random_seed(4)
    model, optimizer = build(keras), keras.optimizers.Adam(0.01)
    loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def step(features, labels):
        with tf.GradientTape() as tape:
            noisy = features + tf.random.normal(tf.shape(features), stddev=0.1)
            loss = loss_of(labels, model(noisy, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        return loss

    step = tf.function(step) if traced else step
    losses = [float(step(x[start : start + 16], y[start : start + 16])) for _ in range(2) for start in range(0, 80, 16)]
    return digest([*model.get_weights(), np.array(losses)])


x = np.random.default_rng(1).normal(size=(200, 6)).astype("float32")
y = x[:, :3].argmax(axis=1)
for keras in (keras3, tf_keras):
    print(keras.__name__, "fit", fit(keras, x, y))
    for traced in (False, True):
        print(keras.__name__, "loop", traced, loop(keras, x, y, traced))
print("random", random.random(), np.random.rand(), tf.random.normal((2,)).numpy(), file=sys.stdout)
