"""TFH6: last layers, losses and labels, and the numbers in a loss."""

from tfhelp.service.lint.pages import Page

PAGES = {
    "TFH601": Page(
        "categorical_crossentropy expects one row of probabilities (one-hot) for each sample. With integer "
        "labels, fit raises an error about shapes.",
        "Use sparse_categorical_crossentropy, or convert the labels to one-hot with keras.utils.to_categorical.",
        """\
import keras
import numpy as np

y = np.arange(90) % 3
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation="softmax")])
model.compile("adam", "categorical_crossentropy")
model.fit(x, y)
""",
        """\
import keras
import numpy as np

y = np.arange(90) % 3
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x, y)
""",
    ),
    "TFH602": Page(
        "sparse_categorical_crossentropy expects one integer for each sample. With one-hot labels, fit raises an "
        "error about shapes.",
        "Use categorical_crossentropy, or keep the labels as integers.",
        """\
import keras

y = keras.utils.to_categorical(labels)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x, y)
""",
        """\
import keras

y = keras.utils.to_categorical(labels)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation="softmax")])
model.compile("adam", "categorical_crossentropy")
model.fit(x, y)
""",
    ),
    "TFH603": Page(
        "Softmax over one unit is always 1, and a categorical loss of one unit is always 0. The model cannot learn.",
        "For two classes, use one unit with sigmoid and binary_crossentropy, or two units with softmax.",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, activation="softmax")])
model.compile("adam", "binary_crossentropy")
""",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
""",
    ),
    "TFH604": Page(
        "With from_logits=True, the loss applies softmax or sigmoid itself. The last layer already did, so it is "
        "applied twice, and the model learns slowly and badly.",
        "Remove either the activation of the last layer or from_logits=True.",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation="softmax")])
model.compile("adam", keras.losses.CategoricalCrossentropy(from_logits=True))
""",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation="softmax")])
model.compile("adam", keras.losses.CategoricalCrossentropy())
""",
    ),
    "TFH605": Page(
        "Without from_logits=True, a cross-entropy treats the outputs as probabilities. It clips numbers below 0 "
        "or above 1, so the loss has no gradient there and the model does not learn.",
        "Pass from_logits=True to the loss, or give the last layer softmax or sigmoid.",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])
model.compile("adam", loss="categorical_crossentropy")
""",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])
model.compile("adam", loss=keras.losses.CategoricalCrossentropy(from_logits=True))
""",
    ),
    "TFH606": Page(
        "The labels have more classes (columns) than the last layer has units, so fit raises an error about shapes.",
        "Compute the number of classes from the data, and use it as the number of units.",
        """\
import keras
import numpy as np

y = keras.utils.to_categorical(np.arange(12), 12)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "categorical_crossentropy")
model.fit(np.zeros((12, 4)), y)
""",
        """\
import keras
import numpy as np

y = keras.utils.to_categorical(np.arange(12), 12)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(12, activation="softmax")])
model.compile("adam", "categorical_crossentropy")
model.fit(np.zeros((12, 4)), y)
""",
    ),
    "TFH607": Page(
        "Labels of a sparse loss must be numbers from 0 to units - 1. A larger one raises an error on the CPU. On "
        "a GPU the loss becomes NaN.",
        "Give the last layer one unit for each class, and number the classes from 0.",
        """\
import keras

(x, y), _ = keras.datasets.cifar100.load_data()
x = x / 255.0
model = keras.Sequential([keras.Input((32, 32, 3)), keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x, y)
""",
        """\
import keras

(x, y), _ = keras.datasets.cifar100.load_data()
x = x / 255.0
model = keras.Sequential([keras.Input((32, 32, 3)), keras.layers.Flatten(), keras.layers.Dense(100, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x, y)
""",
    ),
    "TFH608": Page(
        "The *_with_logits functions apply softmax or sigmoid themselves. If their input already went through "
        "one, it is applied twice, and the model learns slowly and badly.",
        "Pass the logits: the output of the last layer before any activation.",
        """\
import tensorflow as tf

p = tf.nn.softmax(logits)
loss = tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=p)
""",
        """\
import tensorflow as tf

loss = tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits)
""",
    ),
    "TFH609": Page(
        "Softmax and sigmoid can underflow to exactly 0, and log(0) is -inf. The next step makes the weights NaN.",
        "Use tf.nn.log_softmax or tf.math.log_sigmoid, or a Keras loss with from_logits=True.",
        """\
import tensorflow as tf


def my_loss(y, z):
    p = tf.nn.softmax(z)
    return -tf.reduce_sum(y * tf.math.log(p))
""",
        """\
import tensorflow as tf


def my_loss(y, z):
    return -tf.reduce_sum(y * tf.nn.log_softmax(z))
""",
    ),
    "TFH610": Page(
        "log(0) is -inf, and the gradient of a square root is infinite at 0. One such value makes the loss NaN.",
        "Keep the argument away from 0, for example with tf.clip_by_value or by adding a small epsilon.",
        """\
import keras
import tensorflow as tf


def loss(y_true, y_pred):
    return -tf.math.log(y_pred)


model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", loss)
""",
        """\
import keras
import tensorflow as tf


def loss(y_true, y_pred):
    return -tf.math.log(tf.clip_by_value(y_pred, 1e-7, 1.0))


model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", loss)
""",
    ),
    "TFH611": Page(
        "A constant column has a standard deviation of 0, and 0/0 is NaN. One NaN in a batch makes all weights NaN.",
        "Add a small number to the divisor, or drop constant columns.",
        """\
import numpy as np
import tensorflow as tf

x = np.load("x.npy")
x = x / x.std(axis=0)
""",
        """\
import numpy as np
import tensorflow as tf

x = np.load("x.npy")
x = x / (x.std(axis=0) + 1e-7)
""",
    ),
    "TFH612": Page(
        "A cross-entropy expects probabilities: softmax for categories, sigmoid for two classes. With any other "
        "activation, the loss is wrong or has no gradient.",
        "Give the last layer softmax for a categorical loss and sigmoid for binary_crossentropy.",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation="sigmoid")])
model.compile("adam", "categorical_crossentropy")
""",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation="softmax")])
model.compile("adam", "categorical_crossentropy")
""",
    ),
    "TFH613": Page(
        "binary_crossentropy expects labels 0 and 1. With more classes some labels are above 1, and the loss "
        "falls below 0 without limit.",
        "Use sparse_categorical_crossentropy, and one unit with softmax for each class.",
        """\
import keras

(x, y), _ = keras.datasets.mnist.load_data()
x = x / 255.0
model = keras.Sequential([keras.Input((28, 28)), keras.layers.Flatten(), keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
model.fit(x, y)
""",
        """\
import keras

(x, y), _ = keras.datasets.mnist.load_data()
x = x / 255.0
model = keras.Sequential([keras.Input((28, 28)), keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x, y)
""",
    ),
    "TFH614": Page(
        "The first axis holds the samples of a batch. Over that axis, the result compares samples, not classes.",
        "Use axis=-1, which is the default of softmax.",
        """\
import tensorflow as tf

p = tf.nn.softmax(tf.zeros((4, 3)), axis=0)
""",
        """\
import tensorflow as tf

p = tf.nn.softmax(tf.zeros((4, 3)), axis=-1)
""",
    ),
}
