"""TFH2: models, how they are built and saved."""

from tfhelp.service.lint.pages import Page

PAGES = {
    "TFH201": Page(
        "Training and evaluation need a loss, and training needs an optimizer. Without compile, fit raises an error.",
        "Call `compile` on this object before you train it, even if you loaded it with compile=False or cloned it.",
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
        "A model without an input shape has no weights before its first batch. Until then, you cannot count or "
        "save the weights or connect another layer, and summary shows question marks.",
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
        "Keras 3 saves only to a path that ends in .keras or .h5. For other paths, Keras 2 wrote a folder "
        "(SavedModel), which Keras 3 does not load as a model.",
        "End the path with `.keras`. If a server needs a SavedModel folder, use `model.export`.",
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
    "TFH205": Page(
        "A Dense layer without an activation is a linear function of its inputs. Several in a row are no more powerful than one.",
        'Give every hidden layer an activation, for example activation="relu".',
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8), keras.layers.Dense(8), keras.layers.Dense(1)])
model.compile("adam", "mse")
""",
        """\
import keras

model = keras.Sequential(
    [
        keras.Input((4,)),
        keras.layers.Dense(8, activation="relu"),
        keras.layers.Dense(8, activation="relu"),
        keras.layers.Dense(1),
    ]
)
model.compile("adam", "mse")
""",
    ),
    "TFH206": Page(
        "Dense works only on the last axis. Directly after feature maps, it predicts a class for each pixel, and "
        "fit raises an error about shapes.",
        "Put keras.layers.Flatten() or keras.layers.GlobalAveragePooling2D() before the first Dense layer.",
        """\
import keras

model = keras.Sequential(
    [keras.Input((8, 8, 1)), keras.layers.Conv2D(4, 3), keras.layers.MaxPooling2D(), keras.layers.Dense(3, activation="softmax")]
)
model.compile("adam", "sparse_categorical_crossentropy")
""",
        """\
import keras

model = keras.Sequential(
    [
        keras.Input((8, 8, 1)),
        keras.layers.Conv2D(4, 3),
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(3, activation="softmax"),
    ]
)
model.compile("adam", "sparse_categorical_crossentropy")
""",
    ),
    "TFH207": Page(
        "No weight of the model can change, so the loss stays the same. Keras does not warn about it.",
        "Freeze only the layers that must not change, and compile afterwards.",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
model.trainable = False
model.compile("adam", "mse")
model.fit(x, y)
""",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
model.layers[0].trainable = False
model.compile("adam", "mse")
model.fit(x, y)
""",
    ),
    "TFH208": Page(
        "fit may still use the old setting, because a compiled training step does not always notice that trainable changed.",
        "Call compile again each time you change trainable.",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
model.compile("adam", "mse")
for layer in model.layers[:-1]:
    layer.trainable = False
model.fit(x, y)
""",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
for layer in model.layers[:-1]:
    layer.trainable = False
model.compile("adam", "mse")
model.fit(x, y)
""",
    ),
}
