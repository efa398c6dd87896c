# /// script
# requires-python = "==3.8.*"
# dependencies = ["tensorflow-cpu==2.4.*", "protobuf<3.21"]
#
# [tool.tfhelp]
# timeout = 300
# exit = 0
# ///
"""Keras as scripts for TensorFlow 2.4 had it: generators with workers, predict_classes, experimental places, lr and decay."""

import math
import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import backend as K
from tensorflow.keras.layers import LSTM, Dense
from tensorflow.keras.layers.experimental import preprocessing
from tensorflow.keras.layers.experimental.preprocessing import Normalization, Rescaling
from tensorflow.keras.mixed_precision import experimental as mixed_precision

tf.random.set_seed(3)
mixed_precision.set_policy("float32")


class Batches(keras.utils.Sequence):
    """Batches of two clouds of points."""

    def __init__(self, size, batch=32):
        self.values = np.random.RandomState(0).randn(size, 4).astype("float32")
        self.labels = (self.values[:, 0] > 0).astype("int32")
        self.batch = batch

    def __len__(self):
        return math.ceil(len(self.values) / self.batch)

    def __getitem__(self, index):
        part = slice(index * self.batch, (index + 1) * self.batch)
        return self.values[part], self.labels[part]


class Scale(keras.layers.Layer):
    """A layer that names its weight by position, as Keras 2 had it."""

    def build(self, input_shape):
        self.scale = self.add_weight("scale", shape=(input_shape[-1],), initializer="ones")

    def call(self, inputs):
        return inputs * self.scale


class Slower(keras.callbacks.Callback):
    """Halves the learning rate in the last epoch."""

    def on_epoch_begin(self, epoch, logs=None):
        if epoch == 5:
            K.set_value(self.model.optimizer.lr, K.get_value(self.model.optimizer.lr) / 2)


batches = Batches(256)
normalize = Normalization()
normalize.adapt(batches.values)

model = keras.Sequential([normalize, Scale(), Dense(16, activation="relu"), Dense(2, activation="softmax")])
optimizer = keras.optimizers.Adam(lr=0.02)
model.compile(optimizer, loss="sparse_categorical_crossentropy", metrics=["accuracy"], experimental_run_tf_function=False)
model.fit_generator(batches, epochs=6, verbose=0, workers=1, use_multiprocessing=False, callbacks=[Slower()])
loss, accuracy = model.evaluate_generator(batches, verbose=0)
classes = model.predict_classes(batches.values, batch_size=64, verbose=0)
print("accurate: %s" % (accuracy > 0.9))
print("classes agree: %s" % bool((classes == batches.labels).mean() > 0.9))
print("rate halved: %s" % bool(abs(float(K.get_value(model.optimizer.lr)) - 0.01) < 1e-6))

binary = keras.Sequential()
binary.add(Rescaling(1.0 / 2, input_shape=(4,)))
binary.add(Dense(8, activation="tanh"))
binary.add(Dense(1, activation="sigmoid"))
decayed = tf.keras.optimizers.SGD(lr=0.5, momentum=0.9, decay=1e-2)
binary.compile(optimizer=decayed, loss="binary_crossentropy")
binary.fit(batches.values, batches.labels, epochs=12, verbose=0, workers=2, max_queue_size=10)
print("binary classes: %s" % (binary.predict_classes(batches.values, verbose=0)[:4].ravel().tolist() == batches.labels[:4].tolist()))

memory = keras.Sequential([LSTM(4, batch_input_shape=(2, None, 3), stateful=True), Dense(1)])
print("stateful: %s" % (memory.predict(np.zeros((2, 5, 3), "float32"), verbose=0).shape,))

path = os.path.join(tempfile.mkdtemp(), "model.h5")
binary.save(path, save_format="h5")
again = keras.models.load_model(path, compile=False)
print("saved: %s" % np.allclose(again.predict(batches.values, verbose=0), binary.predict(batches.values, verbose=0), atol=1e-5))
print("turned: %s" % (preprocessing.RandomRotation(0.0)(np.ones((1, 4, 4, 1), "float32")).shape,))
print("schedule: %.4f" % float(keras.experimental.CosineDecay(0.1, 10)(5)))
