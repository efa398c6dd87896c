"""TFH2: models, how they are built and saved."""

from tfhelp.service.lint.pages import Page

PAGES = {
    "TFH201": Page(
        "Training and evaluation need a loss, and training needs an optimizer. Without compile, fit raises an error.",
        "Call `compile` on this object before you train it, also if you loaded it with compile=False or cloned it.",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.fit(x, y)
""",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y)
""",
    ),
    "TFH202": Page(
        "A model without an input shape has no weights before its first batch. Until then you cannot count the "
        "weights, save them or connect another layer, and summary shows question marks.",
        "Begin the model with `keras.Input(shape)`, or call it once on a batch.",
        """\
import keras

model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.summary()
""",
        """\
import keras

model = keras.Sequential([keras.Input((28, 28)), keras.layers.Flatten(), keras.layers.Dense(1)])
model.summary()
""",
    ),
    "TFH203": Page(
        "keras.Input and the layers that you call on it return KerasTensors, which have no values. Keras 3, which "
        "TensorFlow 2.16 and later include, does not accept them in tf.* functions.",
        "Use the function of the same name in `keras.ops`, or call the TensorFlow function in a layer.",
        """\
import keras
import tensorflow as tf

inputs = keras.Input((4,))
x = tf.reduce_mean(inputs, axis=1)
model = keras.Model(inputs, x)
""",
        """\
import keras

inputs = keras.Input((4,))
x = keras.ops.mean(inputs, axis=1)
model = keras.Model(inputs, x)
""",
    ),
    "TFH204": Page(
        "Keras 3 saves only to a path that ends in .keras or .h5, and refuses any other. Keras 2 wrote a folder "
        "there (SavedModel), which Keras 3 does not load as a model.",
        "End the path with `.keras`. For a folder that a server loads, use `model.export`.",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.save("my_model")
""",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.save("my_model.keras")
""",
    ),
}
