"""TFH9: names from old releases, and settings for the whole program."""

from tfhelp.service.lint.pages import Page

PAGES = {
    "TFH901": Page(
        "This name exists in TensorFlow 1 but not in TensorFlow 2, so the program ends with an AttributeError or an ImportError.",
        "Use the TensorFlow 2 name. If there is none, use tf.compat.v1.",
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
        "tf.compat.v1 keeps the TensorFlow 1 API: graphs, sessions, placeholders. This is not a fault. Some "
        "advice for TensorFlow 2 does not apply to such a program.",
        "You do not have to change anything. New code is simpler without it.",
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
        "This name exists in Keras 2 but not in Keras 3, which TensorFlow 2.16 and later include. The program "
        "ends with an AttributeError or an ImportError.",
        "Use the public Keras 3 name: fit instead of fit_generator, keras.utils.to_categorical instead of np_utils.",
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
        "In float16, numbers above 65504 become infinite, and numbers below about 6e-8 become 0. This is not a "
        "fault. It matters if a loss becomes NaN.",
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
        "set_floatx changes the dtype of all weights that Keras creates. Constants and metrics in your own code "
        "stay float32, and the two dtypes do not mix.",
        "Keep the default float32, or pass dtype to the one layer that needs another one.",
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
