# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf

weights = tf.Variable(tf.random.normal((4, 1), seed=1))
labels = tf.constant([[1.0], [2.0], [3.0]])

# --- shown
features = np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32)
# --- end
assert features.dtype == weights.dtype.as_numpy_dtype


@tf.function
def train_step(batch, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(batch, weights) - targets))
    weights.assign_sub(0.01 * tape.gradient(loss, weights))
    return loss


train_step(features, labels)
