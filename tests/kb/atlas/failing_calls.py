"""Runs under an old release, TensorFlow 2.3 to 2.21: calls that fail, and the positions of their traceback frames.

    python failing_calls.py >> tracebacks.jsonl

A line of the output is one traceback: the releases, and its frames inside TensorFlow and Keras as [file, line, function].
``tracebacks.jsonl`` was made with releases whose patch the atlas does not know: TensorFlow 2.3.1, 2.4.2, 2.6.2, 2.8.2, 2.9.2, and
Keras 3.0.2 with TensorFlow 2.16.1.
"""

import json
import sys
import traceback

import numpy as np
import tensorflow as tf

keras = tf.keras
MOST_FRAMES = 6


def model():
    made = keras.Sequential([keras.layers.Dense(4, input_shape=(3,)), keras.layers.Dense(1)])
    made.compile("sgd", "mse")
    return made


def made_twice():
    made = tf.function(lambda x: tf.Variable(x) * 2)
    made(tf.constant(1.0))
    made(tf.constant(2.0))


def fails_inside():
    broken = model()
    broken.layers[0].call = lambda x: x / "a"
    broken.evaluate(np.zeros((3, 3)), np.zeros((3, 1)), verbose=0)


CALLS = [
    lambda: model().fit(np.zeros((8, 5)), np.zeros((8, 1)), verbose=0),
    lambda: model().fit(np.zeros((8, 3)), np.zeros((8, 7, 2)), verbose=0),
    lambda: keras.Model().fit(np.zeros((2, 2)), np.zeros((2,))),
    lambda: model().predict("abc"),
    lambda: model().load_weights("nowhere.weights.h5"),
    lambda: keras.Sequential([keras.layers.Dense(4)]).summary(),
    lambda: keras.layers.Dense("x"),
    lambda: keras.models.load_model("nowhere.h5"),
    lambda: keras.Model(keras.Input((3,)), tf.zeros((1,))),
    lambda: keras.layers.Concatenate()([keras.Input((2, 3)), keras.Input((4, 5))]),
    lambda: keras.layers.LSTM(3)(keras.Input((2,))),
    lambda: keras.optimizers.Adam(lr="x", foo=3),
    lambda: keras.preprocessing.image_dataset_from_directory("nowhere"),
    lambda: tf.matmul(tf.zeros((2, 3)), tf.zeros((2, 3))),
    lambda: tf.reshape(tf.zeros((2, 3)), (5,)),
    lambda: tf.constant("a") + 1,
    lambda: tf.concat([tf.zeros((2, 3)), tf.zeros((3, 2))], 0),
    lambda: tf.cast("x", tf.float32),
    lambda: tf.data.Dataset.from_tensor_slices((np.zeros((3, 2)), np.zeros((4,)))),
    lambda: tf.distribute.MirroredStrategy(["/gpu:7"]).run(model),
    lambda: tf.saved_model.load("nowhere"),
    made_twice,
    fails_inside,
]


def main():
    for call in CALLS:
        try:
            call()
        except Exception as error:  # noqa: BLE001 - each is meant to fail, as its release does
            rows = [
                [found.filename.rpartition("-packages/")[2], found.lineno, found.name]
                for found in traceback.extract_tb(error.__traceback__)
                if "-packages/tensorflow" in found.filename or "-packages/keras" in found.filename
            ]
            if rows:
                row = {"tensorflow": tf.__version__, "keras": keras.__version__, "frames": rows[-MOST_FRAMES:]}
                print(json.dumps(row, separators=(",", ":")), file=sys.__stdout__)


main()
