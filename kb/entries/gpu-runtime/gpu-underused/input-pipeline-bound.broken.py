# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow[and-cuda]==2.21.*"]
#
# [tool.tfhelp]
# timeout = 240
# exit = 0
# observed = true
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
    def rotate(pixels):
        angle = generator.uniform(-0.2, 0.2)
        rows, columns = np.mgrid[:96, :96]
        turned = np.clip(np.cos(angle) * rows - np.sin(angle) * columns, 0, 95).astype(int)
        moved = np.clip(np.sin(angle) * rows + np.cos(angle) * columns, 0, 95).astype(int)
        return pixels[turned, moved] + generator.normal(0, 0.01, pixels.shape).astype("float32")

    return tf.ensure_shape(tf.numpy_function(rotate, [image], tf.float32), (96, 96, 3)), label


dataset = tf.data.Dataset.from_tensor_slices((images, labels)).map(augment).batch(64)
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
