# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 300
# exit = 0
# ///
import resource

import keras
import numpy as np
import tensorflow as tf

images = np.random.default_rng(0).normal(size=(32, 64, 64, 3)).astype("float32")
model = keras.Sequential(
    [keras.Input((64, 64, 3)), keras.layers.Conv2D(8, 3, padding="same"), keras.layers.Conv2D(3, 3, padding="same")]
)
optimizer = keras.optimizers.Adam()


def memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


results, used = [], []
for step in range(120):
    with tf.GradientTape() as tape:
        outputs = model(images, training=True)
        loss = tf.reduce_mean(tf.square(outputs - images))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
    # --- shown
    results.append((float(loss), float(tf.reduce_mean(outputs))))
    # --- end
    if step % 12 == 0:
        used.append(memory())
        print(f"step {step}: {len(results)} results kept, memory {used[-1]} MB (+{used[-1] - used[0]} MB)")
assert used[-1] - used[2] < 60, used
