# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
#
# [tool.tfhelp.limits]
# data_mib = 2400
# ///
import keras
import numpy as np
import tensorflow as tf

images = np.random.default_rng(0).integers(0, 256, size=(16_000, 96, 96, 3), dtype=np.uint8)
labels = images[:, 0, 0, 0] // 128

# --- shown
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).batch(32)
dataset = dataset.map(lambda image, label: (tf.cast(image, tf.float32) / 255, label))
# --- end
model = keras.Sequential(
    [
        keras.Input((96, 96, 3)),
        keras.layers.Conv2D(8, 3, strides=4, activation="relu"),
        keras.layers.Flatten(),
        keras.layers.Dense(2),
    ]
)
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
assert dataset.element_spec[0].dtype == tf.float32
model.fit(dataset, steps_per_epoch=20, verbose=2)
