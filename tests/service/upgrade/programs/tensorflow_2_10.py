# /// script
# requires-python = "==3.10.*"
# dependencies = ["tensorflow-cpu==2.10.*", "numpy<2"]
#
# [tool.tfhelp]
# timeout = 300
# exit = 0
# ///
"""Keras as scripts for TensorFlow 2.10 had it: a custom loop, optimizers with lr and legacy ones, old import places."""

import numpy as np
import tensorflow as tf
from keras.layers.core import Dropout
from keras.utils.np_utils import to_categorical
from tensorflow.keras import layers, models, optimizers
from tensorflow.keras.optimizers import experimental as new_optimizers
from tensorflow.keras.preprocessing.sequence import pad_sequences

tf.keras.utils.set_random_seed(5)
values = np.random.RandomState(1).randn(200, 6).astype("float32")
labels = to_categorical((values[:, 1] > 0).astype("int32"), 2)


def build():
    """A functional model."""
    inputs = layers.Input(batch_input_shape=(None, 6)) if False else layers.Input(shape=(6,))
    hidden = layers.Dense(12, activation="relu")(inputs)
    hidden = layers.BatchNormalization(fused=False)(hidden)
    hidden = Dropout(0.1)(hidden)
    return models.Model(inputs, layers.Dense(2, activation="softmax")(hidden))


model = build()
model.compile(optimizer=optimizers.RMSprop(lr=0.01, rho=0.9), loss="categorical_crossentropy", metrics=["accuracy"])
history = model.fit(values, labels, epochs=15, verbose=0, workers=4, use_multiprocessing=False)
accuracy = model.evaluate(values, labels, verbose=0, workers=1)[1]
print("accurate: %s" % (accuracy > 0.85))

loop = build()
optimizer = optimizers.legacy.Adam(learning_rate=0.01)
other = new_optimizers.SGD(learning_rate=0.1, jit_compile=False)
loss_of = tf.keras.losses.CategoricalCrossentropy()
first = last = None
for step in range(30):
    with tf.GradientTape() as tape:
        loss = loss_of(labels, loop(values, training=True))
    gradients = tape.gradient(loss, loop.trainable_variables)
    optimizer.apply_gradients(zip(gradients, loop.trainable_variables))
    first, last = loss.numpy() if first is None else first, loss.numpy()
print("loss fell: %s" % (last < first))
print("rate: %.3f" % float(other.learning_rate))
print("padded: %s" % pad_sequences([[1], [2, 3]], maxlen=2).tolist())

recurrent = models.Sequential([layers.LSTM(3, input_shape=(4, 2), implementation=2)])
print("recurrent: %s" % (recurrent.predict(np.zeros((1, 4, 2)), verbose=0, workers=1).shape,))
