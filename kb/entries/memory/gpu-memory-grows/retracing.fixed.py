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

features = np.random.default_rng(0).normal(size=(64, 32)).astype("float32")
model = keras.Sequential(
    [keras.Input((32,)), *[keras.layers.Dense(64, activation="relu") for _ in range(3)], keras.layers.Dense(1)]
)
optimizer = keras.optimizers.Adam()
optimizer.build(model.trainable_variables)


def memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


@tf.function
def train_step(batch, step):
    with tf.GradientTape() as tape:
        weight = tf.minimum(1.0, tf.cast(step, tf.float32) / 50)
        loss = weight * tf.reduce_mean(tf.square(model(batch, training=True)))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables, strict=True))
    return loss


used = []
for step in range(60):
    # --- shown
    loss = train_step(features, tf.constant(step))
    # --- end
    used.append(memory())
    print(f"step {step}: loss {float(loss):.4f}, memory {used[-1]} MB (+{used[-1] - used[0]} MB)")
assert train_step.experimental_get_tracing_count() == 1 and used[-1] - used[2] < 20, used
