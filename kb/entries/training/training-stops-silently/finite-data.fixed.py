# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf

STEPS = 400
features = np.random.default_rng(0).normal(size=(1280, 16)).astype("float32")
targets = features.sum(axis=1, keepdims=True)
weights = tf.Variable(tf.zeros((16, 1)))
# --- shown
dataset = tf.data.Dataset.from_tensor_slices((features, targets)).shuffle(1280).batch(16).repeat()  # STEPS ends it
# --- end


@tf.function
def train_step(inputs, wanted):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((inputs @ weights - wanted) ** 2)
    weights.assign_sub(0.01 * tape.gradient(loss, weights))
    return loss


for step, (inputs, wanted) in zip(range(1, STEPS + 1), dataset):
    loss = train_step(inputs, wanted)
    if step % 20 == 0:
        print(f"step {step}/{STEPS} loss {loss:.4f}", flush=True)
tf.train.Checkpoint(weights=weights).write("checkpoint")
assert step == STEPS
