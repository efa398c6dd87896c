"""TFH3: what loops keep in memory, and GPU memory."""

from tfhelp.service.lint.pages import Page

PAGES = {
    "TFH301": Page(
        "Keras keeps global state, and every compiled model keeps the graph of its train function. So memory "
        "grows with each model, and each model is traced again.",
        "Build the model once and reset its weights, or build each model in its own process.",
        """\
import keras


def build():
    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])


for trial in range(100):
    model = build()
    model.compile("sgd", "mse")
    model.fit(x, y)
""",
        """\
import keras


def build():
    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])


model = build()
start = model.get_weights()
for trial in range(100):
    model.set_weights(start)
    model.compile("sgd", "mse")
    model.fit(x, y)
""",
    ),
    "TFH302": Page(
        "A tensor in a list keeps its memory on the GPU. Under a gradient tape, it also keeps everything that it "
        "was computed from.",
        "Append a number, `float(loss)`, or an array, `loss.numpy()`.",
        """\
import tensorflow as tf

losses = []
for step in range(100):
    loss = tf.reduce_mean(tf.zeros(4))
    losses.append(loss)
""",
        """\
import tensorflow as tf

losses = []
for step in range(100):
    loss = tf.reduce_mean(tf.zeros(4))
    losses.append(float(loss))
""",
    ),
    "TFH303": Page(
        "Each call of predict, evaluate or a *_on_batch method prepares a data set, an iterator and callbacks. "
        "For small inputs, that takes longer than the model, and TensorFlow 2.0 to 2.2 lose memory with every "
        "call.",
        "Call the model itself, `model(x, training=False)`, or call predict once on all inputs.",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
for x in rows:
    model.predict(x)
""",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.predict(rows)
""",
    ),
    "TFH304": Page(
        "clear_session discards the names and the graph of the model that you are still training. Between two "
        "batches it frees no memory.",
        "Call clear_session after you finish with one model and before you build the next.",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
for x, y in batches:
    model.train_on_batch(x, y)
    keras.backend.clear_session()
""",
        """\
import keras

keras.backend.clear_session()
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(batches)
""",
    ),
    "TFH305": Page(
        "Each data set has its own iterator and, in TensorFlow 1, a copy of the array in the graph. The memory of "
        "a graph is never freed.",
        "Create the data set once, before the loop.",
        """\
import tensorflow as tf

tf.compat.v1.disable_eager_execution()
for x in rows:
    data = tf.data.Dataset.from_tensor_slices(x)
""",
        """\
import tensorflow as tf

tf.compat.v1.disable_eager_execution()
data = tf.data.Dataset.from_tensor_slices(rows)
for x in data:
    print(x)
""",
    ),
    "TFH306": Page(
        "Any op, model or strategy initializes the GPU. After that, set_memory_growth raises a RuntimeError, or "
        "the memory is already taken.",
        "Call set_memory_growth right after you import TensorFlow.",
        """\
import tensorflow as tf

x = tf.zeros(3)
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
""",
        """\
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
x = tf.zeros(3)
""",
    ),
    "TFH307": Page(
        "Memory growth must be the same for all visible GPUs. On a machine with two GPUs, the first op fails.",
        "Set it for each GPU in a loop, or make only one GPU visible.",
        """\
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.experimental.set_memory_growth(gpus[0], True)
""",
        """\
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
""",
    ),
}
