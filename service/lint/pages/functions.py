"""TFH4: functions that TensorFlow traces."""

from tfhelp.service.lint.pages import Page

PAGES = {
    "TFH401": Page(
        "Each new tf.function traces its own graph, which takes seconds and stays in memory.",
        "Decorate the function once, outside the loop.",
        """\
import tensorflow as tf

for x in rows:

    @tf.function
    def step(v):
        return v + 1

    step(x)
""",
        """\
import tensorflow as tf


@tf.function
def step(v):
    return v + 1


for x in rows:
    step(x)
""",
    ),
    "TFH402": Page(
        "TensorFlow traces one graph for each Python number or string. A value that changes in every step causes "
        "a new trace in every step.",
        "Pass a tensor, `tf.constant(n)`, or a variable.",
        """\
import tensorflow as tf


@tf.function
def scale(x, n):
    return x * n


for n in range(100):
    scale(tf.zeros(3), n)
""",
        """\
import tensorflow as tf


@tf.function
def scale(x, n):
    return x * n


for n in range(100):
    scale(tf.zeros(3), tf.constant(n, tf.float32))
""",
    ),
    "TFH403": Page(
        "A tf.function may create variables only on its first call. If it creates an optimizer, a layer, a metric "
        "or a variable, the second call raises a ValueError. If the call method of a layer creates weights, they "
        "are new each time and never trained.",
        "Create them before the call: in `__init__` or `build` of a class, or outside the function.",
        """\
import keras


class Block(keras.layers.Layer):
    def call(self, x):
        return keras.layers.Dense(4)(x)
""",
        """\
import keras


class Block(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(4)

    def call(self, x):
        return self.dense(x)
""",
    ),
    "TFH404": Page(
        "The second model or optimizer creates its variables inside a function that was traced before, which "
        "TensorFlow does not allow.",
        "Create a function for each model: a method of a class, or a function that returns a new tf.function.",
        """\
import keras
import tensorflow as tf


@tf.function
def step(model, x):
    return model(x)


a = keras.Sequential([keras.layers.Dense(1)])
b = keras.Sequential([keras.layers.Dense(1)])
step(a, x)
step(b, x)
""",
        """\
import keras
import tensorflow as tf


def make_step(model):
    @tf.function
    def step(x):
        return model(x)

    return step


step_of_a = make_step(keras.Sequential([keras.layers.Dense(1)]))
step_of_b = make_step(keras.Sequential([keras.layers.Dense(1)]))
step_of_a(x)
step_of_b(x)
""",
    ),
    "TFH405": Page(
        "The body of a tf.function, a custom loss, a metric, a layer's call or a data set's map runs once, to "
        "build a graph. A tensor has no value there, so bool(), int(), float(), .numpy() and NumPy fail.",
        "Use TensorFlow ops instead: tf.cond, tf.where, tf.cast, tf.print. If you need real Python, use `tf.py_function`.",
        """\
import tensorflow as tf


@tf.function
def step(x):
    return x.numpy()
""",
        """\
import tensorflow as tf


@tf.function
def step(x):
    tf.print(x)
    return x
""",
    ),
    "TFH406": Page(
        "If a traced function stores a tensor on self, the tensor belongs to the graph of that function. Another "
        "function that uses it fails with an out-of-scope error.",
        "Return the tensor, or assign its value to a tf.Variable.",
        """\
import tensorflow as tf


class Smoother(tf.Module):
    @tf.function
    def step(self, value):
        self.last = value
        return value
""",
        """\
import tensorflow as tf


class Smoother(tf.Module):
    def __init__(self):
        self.last = tf.Variable(0.0)

    @tf.function
    def step(self, value):
        self.last.assign(value)
        return value
""",
    ),
    "TFH407": Page(
        "Keras 3 traces losses, metrics and the call of layers without AutoGraph. A Python if or while on a "
        "tensor, which Keras 2 turned into a graph, now fails.",
        "Use keras.ops.where or keras.ops.cond, or decorate the function with @tf.function.",
        """\
import keras
import tensorflow as tf


class Scale(keras.layers.Layer):
    def call(self, inputs):
        if tf.reduce_sum(inputs) > 0:
            return inputs
        return -inputs
""",
        """\
import keras


class Scale(keras.layers.Layer):
    def call(self, inputs):
        return keras.ops.where(keras.ops.sum(inputs) > 0, inputs, -inputs)
""",
    ),
    "TFH408": Page(
        "TensorFlow calls the Python function once, to trace it, and then runs only its graph. The number that NumPy or Python drew "
        "becomes a constant of the graph, so each element or call gets the same one.",
        "Draw the number with tf.random, which is an operation of the graph.",
        """\
import numpy as np
import tensorflow as tf

images = tf.data.Dataset.from_tensor_slices(tf.zeros((16, 8, 8, 3)))
images = images.map(lambda image: image + np.random.uniform())
""",
        """\
import tensorflow as tf

images = tf.data.Dataset.from_tensor_slices(tf.zeros((16, 8, 8, 3)))
images = images.map(lambda image: image + tf.random.uniform(()))
""",
    ),
    "TFH409": Page(
        "Python code of a traced function runs once for each signature, while TensorFlow traces it, and not in each call. A counter "
        "then stays at 1.",
        "Keep the value in a tf.Variable, and change it with assign_add.",
        """\
import tensorflow as tf

steps = 0


@tf.function
def train_step(x):
    global steps
    steps += 1
    return x * 2
""",
        """\
import tensorflow as tf

steps = tf.Variable(0)


@tf.function
def train_step(x):
    steps.assign_add(1)
    return x * 2
""",
    ),
    "TFH410": Page(
        "Without tf.function, Python starts each op of the step on its own. If the model or the batch is small, this takes longer than "
        "the ops themselves, and a GPU is idle meanwhile. It is right while you debug the step.",
        "Decorate the step with tf.function.",
        """\
import tensorflow as tf


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
for x, y in dataset:
    train_step(x, y)
""",
        """\
import tensorflow as tf


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
for x, y in dataset:
    train_step(x, y)
""",
    ),
    "TFH411": Page(
        "Keras and tf.data use what the function returns: the metric, the output of a layer, or the element of a data set. "
        "A function without a return gives them None, and the message seldom names the function.",
        "Return the value.",
        """\
import tensorflow as tf


def scale(image):
    image = tf.cast(image, tf.float32) / 255


images = tf.data.Dataset.range(9).map(scale)
""",
        """\
import tensorflow as tf


def scale(image):
    return tf.cast(image, tf.float32) / 255


images = tf.data.Dataset.range(9).map(scale)
""",
    ),
    "TFH412": Page(
        "Keras takes what the loss returns. Without a return it gets None. Keras 3 then says 'None values not supported', as it does if "
        "the labels are missing, and it does not name the function.",
        "Return the value.",
        """\
import keras


def mean_error(y_true, y_pred):
    error = keras.ops.mean(keras.ops.square(y_true - y_pred))


model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", loss=mean_error)
""",
        """\
import keras


def mean_error(y_true, y_pred):
    return keras.ops.mean(keras.ops.square(y_true - y_pred))


model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", loss=mean_error)
""",
    ),
}
