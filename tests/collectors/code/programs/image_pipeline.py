"""Files, decoded in map, and names shuffled before that."""

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
CLASSES = tf.constant(["cat", "dog"])


def load(path):
    label = tf.argmax(tf.strings.split(path, "/")[-2] == CLASSES)
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (224, 224)) / 255.0, label


def prepare(dataset, training):
    if training:
        dataset = dataset.shuffle(10000)
    return dataset.map(load, num_parallel_calls=AUTOTUNE).batch(32).prefetch(AUTOTUNE)


files = tf.data.Dataset.list_files("pictures/*/*.jpg", shuffle=False)
train = prepare(files.skip(1000), True)
validation = prepare(files.take(1000), False)
model = tf.keras.applications.ResNet50(weights=None, classes=2, input_shape=(224, 224, 3))
model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9), tf.keras.losses.SparseCategoricalCrossentropy(), metrics=["accuracy"])
model.fit(train, validation_data=validation, epochs=90)
