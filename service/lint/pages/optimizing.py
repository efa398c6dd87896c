"""TFH5: gradients and optimizers."""

from tfhelp.service.lint.pages import Page

PAGES = {
    "TFH501": Page(
        "The tape records only what runs inside its with block. If a loss is computed or changed afterwards, its "
        "gradients are None.",
        "Call the model and compute the whole loss inside the with block.",
        """\
import keras
import tensorflow as tf

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
with tf.GradientTape() as tape:
    out = model(x)
loss = tf.reduce_mean(out)
gradients = tape.gradient(loss, model.trainable_variables)
""",
        """\
import keras
import tensorflow as tf

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
with tf.GradientTape() as tape:
    out = model(x)
    loss = tf.reduce_mean(out)
gradients = tape.gradient(loss, model.trainable_variables)
""",
    ),
    "TFH502": Page(
        "argmax, round, a comparison and a cast to integers have no useful derivative. The path from the loss to "
        "the weights ends there, so the gradients are None or zero.",
        "Compute the loss from probabilities or logits. Use the hard decision only in a metric.",
        """\
import keras
import tensorflow as tf


def loss(y_true, y_pred):
    return tf.reduce_mean(tf.cast(tf.round(y_pred) == y_true, tf.float32))


model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", loss)
""",
        """\
import keras
import tensorflow as tf


def loss(y_true, y_pred):
    return tf.reduce_mean(tf.abs(y_pred - y_true))


model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", loss)
""",
    ),
    "TFH503": Page(
        "A NumPy array has no path back to the weights. The tape treats everything that you compute from it as a constant.",
        "Use tensors inside the with block, and call .numpy() after it.",
        """\
import keras
import tensorflow as tf

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
with tf.GradientTape() as tape:
    out = model(x)
    value = out.numpy()
    loss = tf.reduce_mean(value)
""",
        """\
import keras
import tensorflow as tf

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
with tf.GradientTape() as tape:
    out = model(x)
    loss = tf.reduce_mean(out)
value = out.numpy()
""",
    ),
    "TFH504": Page(
        "Since Keras 2.11 an optimizer knows only the variables of its first step. If you use it for a second "
        "model, it raises a KeyError or a ValueError.",
        "Create one optimizer for each model.",
        """\
import keras

optimizer = keras.optimizers.Adam()
a = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
b = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
a.compile(optimizer, "mse")
b.compile(optimizer, "mse")
""",
        """\
import keras

a = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
b = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
a.compile(keras.optimizers.Adam(), "mse")
b.compile(keras.optimizers.Adam(), "mse")
""",
    ),
    "TFH505": Page(
        "The argument lr was renamed to learning_rate. Keras 3 rejects lr. Keras 2.11 to 2.15 warn, and train "
        "with the default rate.",
        "Write `learning_rate=`. Keras 2.11 to 2.15, which ignore lr, then use your rate too.",
        """\
import keras

optimizer = keras.optimizers.Adam(lr=1e-3)
""",
        """\
import keras

optimizer = keras.optimizers.Adam(learning_rate=1e-3)
""",
    ),
    "TFH506": Page(
        "Optimizers no longer have the argument decay: Keras 2.11 to 2.15 reject it, and Keras 3 warns and ignores it.",
        "Pass a schedule as the learning rate. If you want weight decay, pass weight_decay.",
        """\
import keras

optimizer = keras.optimizers.SGD(learning_rate=0.1, decay=1e-6)
""",
        """\
import keras

schedule = keras.optimizers.schedules.InverseTimeDecay(0.1, decay_steps=1, decay_rate=1e-6)
optimizer = keras.optimizers.SGD(learning_rate=schedule)
""",
    ),
    "TFH507": Page(
        "The attribute lr of optimizers was renamed to learning_rate. In Keras 3, reading lr fails, and setting "
        "it has no effect.",
        "Use the attribute `learning_rate`.",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
print(model.optimizer.lr)
""",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
print(model.optimizer.learning_rate)
""",
    ),
    "TFH508": Page(
        "With such large steps, the loss grows to NaN, or ReLU units get stuck at 0 and the model stops learning.",
        "Begin with the optimizer's default (0.001 for Adam, 0.01 for SGD), and change it by factors of three to ten.",
        """\
import keras

optimizer = keras.optimizers.Adam(0.5)
""",
        """\
import keras

optimizer = keras.optimizers.Adam(1e-3)
""",
    ),
    "TFH509": Page(
        "With such small steps, the weights hardly change, and the loss seems to stay the same.",
        "Begin with the optimizer's default (0.001 for Adam, 0.01 for SGD), and change it by factors of three to ten.",
        """\
import keras

optimizer = keras.optimizers.Adam(learning_rate=1e-9)
""",
        """\
import keras

optimizer = keras.optimizers.Adam(learning_rate=1e-4)
""",
    ),
    "TFH510": Page(
        "apply_gradients takes one list of pairs (gradient, variable). The list that tape.gradient returns does not say which variable "
        "a gradient belongs to, and the step fails.",
        "Make the pairs with zip. In Keras 3 you can also pass both lists to apply.",
        """\
import keras
import tensorflow as tf

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam()
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(x) - y) ** 2)
gradients = tape.gradient(loss, model.trainable_variables)
optimizer.apply_gradients(gradients)
""",
        """\
import keras
import tensorflow as tf

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam()
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(x) - y) ** 2)
gradients = tape.gradient(loss, model.trainable_variables)
optimizer.apply_gradients(zip(gradients, model.trainable_variables))
""",
    ),
}
