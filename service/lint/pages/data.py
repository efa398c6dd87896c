"""TFH7: data sets and inputs."""

from tfhelp.service.lint.pages import Page

PAGES = {
    "TFH701": Page(
        "NumPy stores Python floats as float64 and Python integers as int64. TensorFlow ops do not convert these "
        "arrays to the float32 of the weights, and raise an error about dtypes.",
        'Cast the array first: `x.astype("float32")`.',
        """\
import numpy as np
import tensorflow as tf

w = tf.Variable(tf.zeros((4, 1)))
x = np.random.rand(3, 4)
y = tf.matmul(x, w)
""",
        """\
import numpy as np
import tensorflow as tf

w = tf.Variable(tf.zeros((4, 1)))
x = np.random.rand(3, 4).astype("float32")
y = tf.matmul(x, w)
""",
    ),
    "TFH702": Page(
        "Without a signature TensorFlow does not know what the generator yields, and from_generator raises an error.",
        "Pass `output_signature`, with None for each size that varies.",
        """\
import tensorflow as tf

data = tf.data.Dataset.from_generator(rows)
""",
        """\
import tensorflow as tf

data = tf.data.Dataset.from_generator(rows, output_signature=tf.TensorSpec((None, 4), tf.float32))
""",
    ),
    "TFH703": Page(
        "fit takes the first axis as the batch. In a data set that is not batched, the first axis belongs to one "
        "sample, so the shapes do not match.",
        "Call `.batch(size)` on the data set.",
        """\
import keras
import tensorflow as tf

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(9)
model.fit(data)
""",
        """\
import keras
import tensorflow as tf

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(9).batch(32)
model.fit(data)
""",
    ),
    "TFH704": Page(
        "With steps_per_epoch, one pass through the data must last for all epochs. The data end too early, so fit "
        "warns that it ran out of data, and stops.",
        "Remove steps_per_epoch, or call `.repeat()` on the data set.",
        """\
import keras
import numpy as np
import tensorflow as tf

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
data = tf.data.Dataset.from_tensor_slices(np.zeros((320, 4))).batch(32)
model.fit(data, steps_per_epoch=5, epochs=4)
""",
        """\
import keras
import numpy as np
import tensorflow as tf

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
data = tf.data.Dataset.from_tensor_slices(np.zeros((320, 4))).batch(32).repeat()
model.fit(data, steps_per_epoch=5, epochs=4)
""",
    ),
    "TFH705": Page(
        "A generator cannot start again. When it ends, Keras stops training, continues with empty epochs or "
        "repeats a few batches, depending on the release.",
        "Let the generator loop forever (`while True:`) and pass steps_per_epoch, or use a keras.utils.PyDataset.",
        """\
import keras


def rows():
    for i in range(9):
        yield i


model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(rows(), steps_per_epoch=9, epochs=2)
""",
        """\
import keras


def rows():
    while True:
        for i in range(9):
            yield i


model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(rows(), steps_per_epoch=9, epochs=2)
""",
    ),
    "TFH706": Page(
        "The epoch asks for more batches than the data have. fit warns that it ran out of data, and stops.",
        "Count batches, not samples, or omit steps_per_epoch.",
        """\
import keras
import tensorflow as tf

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
data = tf.data.Dataset.range(320).batch(32)
model.fit(data, steps_per_epoch=11)
""",
        """\
import keras
import tensorflow as tf

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
data = tf.data.Dataset.range(320).batch(32)
model.fit(data, steps_per_epoch=10)
""",
    ),
    "TFH707": Page(
        "shuffle keeps as many elements in memory as its argument says. After decoding, each of them is a whole image.",
        "Shuffle the file names before you decode them, or use a smaller buffer.",
        """\
import tensorflow as tf


def load(path):
    return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path)), (224, 224))


data = tf.data.Dataset.list_files("*.jpg").map(load).shuffle(50_000)
""",
        """\
import tensorflow as tf


def load(path):
    return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path)), (224, 224))


data = tf.data.Dataset.list_files("*.jpg").shuffle(50_000).map(load)
""",
    ),
    "TFH708": Page(
        "cache() without a file keeps the whole data set in memory. After decoding, that is many times the size of the files.",
        "Cache to a file, `cache(path)`, or cache before you decode.",
        """\
import tensorflow as tf


def load(path):
    return tf.io.decode_jpeg(tf.io.read_file(path))


data = tf.data.Dataset.list_files("*.jpg").map(load).cache()
""",
        """\
import tensorflow as tf


def load(path):
    return tf.io.decode_jpeg(tf.io.read_file(path))


data = tf.data.Dataset.list_files("*.jpg").map(load).cache("images.cache")
""",
    ),
    "TFH709": Page(
        "The whole array is converted at once. As float32, a uint8 array needs four times its memory, and the old "
        "copy stays until the new one is complete.",
        "Convert each batch in `Dataset.map`.",
        """\
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices((images.astype("float32") / 255, labels))
""",
        """\
import tensorflow as tf


def scale(image, label):
    return tf.cast(image, tf.float32) / 255, label


data = tf.data.Dataset.from_tensor_slices((images, labels)).batch(32).map(scale)
""",
    ),
    "TFH710": Page(
        "The model was trained on inputs in one range and now gets inputs in another. Its predictions are wrong, "
        "without any error.",
        "Use one function for both, or put a Rescaling layer into the model.",
        """\
import keras

(x_train, y_train), (x_test, y_test) = keras.datasets.mnist.load_data()
x_train = x_train / 255.0
model = keras.Sequential([keras.Input((28, 28)), keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x_train, y_train)
model.evaluate(x_test, y_test)
""",
        """\
import keras

(x_train, y_train), (x_test, y_test) = keras.datasets.mnist.load_data()
x_train = x_train / 255.0
x_test = x_test / 255.0
model = keras.Sequential([keras.Input((28, 28)), keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x_train, y_train)
model.evaluate(x_test, y_test)
""",
    ),
    "TFH711": Page(
        "Two separate shuffles give inputs and labels different orders. The model cannot learn, and there is no error.",
        "Make one permutation, and index both arrays with it.",
        """\
import keras
import numpy as np

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
np.random.shuffle(x)
np.random.shuffle(y)
model.fit(x, y)
""",
        """\
import keras
import numpy as np

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
order = np.random.permutation(len(x))
x, y = x[order], y[order]
model.fit(x, y)
""",
    ),
    "TFH712": Page(
        "If the samples are sorted by class, each batch holds only one class, or the validation split holds "
        "classes that the model never saw.",
        "Shuffle inputs and labels together before fit.",
        """\
import keras
import numpy as np

x = np.zeros((9, 4))
y = np.repeat([0, 1, 2], 3)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, shuffle=False)
""",
        """\
import keras
import numpy as np

x = np.zeros((9, 4))
y = np.repeat([0, 1, 2], 3)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y)
""",
    ),
    "TFH713": Page(
        "val_loss is then the training loss. It cannot show whether the model memorizes the data.",
        "Keep part of the data out of training, for example with validation_split=0.2 on shuffled data.",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, validation_data=(x, y))
""",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, validation_data=(x_new, y_new))
""",
    ),
    "TFH714": Page(
        "Inputs from 0 to 255 make the first steps very large. The model learns slowly, or its loss does not fall.",
        "Divide by 255, or begin the model with keras.layers.Rescaling(1 / 255).",
        """\
import keras

(x, y), _ = keras.datasets.mnist.load_data()
model = keras.Sequential([keras.Input((28, 28)), keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x, y)
""",
        """\
import keras

(x, y), _ = keras.datasets.mnist.load_data()
model = keras.Sequential(
    [
        keras.Input((28, 28)),
        keras.layers.Rescaling(1 / 255),
        keras.layers.Flatten(),
        keras.layers.Dense(10, activation="softmax"),
    ]
)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x, y)
""",
    ),
    "TFH715": Page(
        "The data are in another order each time they are read. A prediction is then compared with the label of another sample, so an "
        "accuracy or a confusion matrix that you compute looks like that of guessing.",
        "Pass shuffle=False to the function that reads the data, or do not call shuffle on the data that you predict.",
        """\
import keras
import numpy as np

data = keras.utils.image_dataset_from_directory("test")
model = keras.models.load_model("model.keras")
predictions = model.predict(data)
labels = np.concatenate([y for x, y in data])
""",
        """\
import keras
import numpy as np

data = keras.utils.image_dataset_from_directory("test", shuffle=False)
model = keras.models.load_model("model.keras")
predictions = model.predict(data)
labels = np.concatenate([y for x, y in data])
""",
    ),
    "TFH716": Page(
        "A data set does not change. map, batch, shuffle and the other methods return a new one, and a call whose result is not "
        "used has no effect.",
        "Assign the result.",
        """\
import tensorflow as tf

images = tf.data.Dataset.from_tensor_slices(tf.zeros((16, 8)))
images.batch(4)
""",
        """\
import tensorflow as tf

images = tf.data.Dataset.from_tensor_slices(tf.zeros((16, 8)))
images = images.batch(4)
""",
    ),
    "TFH717": Page(
        "EfficientNet, MobileNetV3 and ConvNeXt in keras.applications begin with a layer that scales pixels from 0 to 255. If you divide "
        "by 255 first, all inputs are near the lowest value, and the pretrained weights do not help.",
        "Give the network pixels from 0 to 255.",
        """\
import keras

base = keras.applications.EfficientNetB0(include_top=False, pooling="avg")
model = keras.Sequential([keras.layers.Rescaling(1 / 255), base, keras.layers.Dense(10)])
""",
        """\
import keras

base = keras.applications.EfficientNetB0(include_top=False, pooling="avg")
model = keras.Sequential([base, keras.layers.Dense(10)])
""",
    ),
}
