"""TFH9: names of old releases, and settings of the whole program."""

from tfhelp.service.lint.pages import Page

PAGES = {
    "TFH901": Page(
        "TensorFlow 2 does not have this name of TensorFlow 1, so the program ends with an AttributeError or an ImportError.",
        "Use the name of TensorFlow 2, or tf.compat.v1 where there is none.",
        """\
import tensorflow as tf

session = tf.Session()
""",
        """\
import tensorflow as tf

print(tf.reduce_sum([1.0, 2.0]))
""",
    ),
    "TFH902": Page(
        "tf.compat.v1 keeps the interface of TensorFlow 1: graphs, sessions, placeholders. This is no fault. Some "
        "advice for TensorFlow 2 does not hold for such a program.",
        "Nothing has to change. New code is simpler without it.",
        """\
import tensorflow as tf

tf.compat.v1.disable_eager_execution()
""",
        """\
import tensorflow as tf

print(tf.reduce_sum([1.0, 2.0]))
""",
    ),
    "TFH903": Page(
        "Keras 3, which TensorFlow 2.16 and later include, does not have this name of Keras 2. The program ends "
        "with an AttributeError or an ImportError.",
        "Use the public name of Keras 3: fit instead of fit_generator, keras.utils.to_categorical instead of np_utils.",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit_generator(rows)
""",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(rows)
""",
    ),
    "TFH904": Page(
        "In float16 numbers above 65504 are infinite, and those below about 6e-8 are 0. This is no fault. It "
        "matters if a loss becomes NaN.",
        "Keep sums, losses and the last layer in float32, and scale the loss in a custom training loop.",
        """\
import keras

keras.mixed_precision.set_global_policy("mixed_float16")
""",
        """\
import keras

keras.mixed_precision.set_global_policy("float32")
""",
    ),
    "TFH905": Page(
        "set_floatx changes the type of all weights that Keras makes. Constants and metrics in your own code stay "
        "float32, and the two do not mix.",
        "Leave the type at float32, or give the one layer that needs it a dtype.",
        """\
import tensorflow as tf

tf.keras.backend.set_floatx("float64")
""",
        """\
import tensorflow as tf

layer = tf.keras.layers.Dense(1, dtype="float64")
""",
    ),
}
