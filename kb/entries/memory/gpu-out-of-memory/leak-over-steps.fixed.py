# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow[and-cuda]==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# needs = ["nvidia-smi"]
# ///
import keras
import numpy as np
import tensorflow as tf

gpu = tf.config.list_physical_devices("GPU")[0]
tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=1024)])  # a small card

inputs = np.random.default_rng(0).random((4096, 64), dtype="float32")
targets = inputs.sum(axis=1, keepdims=True)

hidden = keras.layers.Dense(1024, activation="relu")
head = keras.layers.Dense(1)
optimizer = keras.optimizers.Adam(1e-3)


def train_step(inputs, targets):
    with tf.GradientTape() as tape:
        features = hidden(inputs)
        loss = tf.reduce_mean((head(features) - targets) ** 2)
    weights = hidden.trainable_weights + head.trainable_weights
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
    return loss, features


kept = []
# --- shown
for step in range(1, 201):
    loss, features = train_step(inputs, targets)
    kept.append(float(tf.reduce_mean(features)))
    # --- end
    if step % 10 == 0:
        print(f"step {step}: loss {float(loss):.4f}")
assert len(kept) == 200
