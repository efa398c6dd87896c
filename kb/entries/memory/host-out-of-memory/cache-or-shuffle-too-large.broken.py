# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 240
# signal = "SIGKILL"
# memory_mib = 3000
# ///
import keras
import numpy as np
import tensorflow as tf

pixels = np.random.default_rng(0).integers(0, 256, size=(600, 800, 3), dtype=np.uint8)
stored = tf.io.encode_jpeg(pixels)


def load(number):
    image = tf.image.resize(tf.io.decode_jpeg(stored, channels=3), (224, 224))
    return image / 255, number % 2


# --- shown
dataset = tf.data.Dataset.range(100_000).map(load).shuffle(100_000).batch(32)
# --- end
model = keras.Sequential(
    [keras.Input((224, 224, 3)), keras.layers.Conv2D(8, 3, strides=8), keras.layers.GlobalMaxPooling2D(), keras.layers.Dense(2)]
)
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(dataset, steps_per_epoch=5, verbose=2)
