# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow[and-cuda]==2.21.*"]
#
# [tool.tfhelp]
# timeout = 60  # the broken program takes two minutes
# env = { TF_FORCE_GPU_ALLOW_GROWTH = "true" }
# needs = ["nvidia-smi"]
# ///
import keras
import numpy as np
import tensorflow as tf

generator = np.random.default_rng(0)
images = generator.random((2048, 96, 96, 3), dtype="float32")
labels = images.mean(axis=(1, 2, 3))


# --- shown
def augment(image, label):
    turned = tf.image.random_flip_left_right(image)
    return turned + tf.random.normal((96, 96, 3), stddev=0.01), label


dataset = tf.data.Dataset.from_tensor_slices((images, labels)).cache()
dataset = dataset.map(augment, num_parallel_calls=tf.data.AUTOTUNE).batch(64).prefetch(tf.data.AUTOTUNE)
# --- end


model = keras.Sequential(
    [
        keras.Input((96, 96, 3)),
        *[keras.layers.Conv2D(64, 3, activation="relu", padding="same") for _ in range(3)],
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(1),
    ]
)
model.compile(optimizer="adam", loss="mse", jit_compile=False)
model.fit(dataset.repeat(), steps_per_epoch=450, epochs=3, verbose=2)
assert int(model.optimizer.iterations) == 1350
