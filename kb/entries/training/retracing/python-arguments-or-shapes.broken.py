# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import tensorflow as tf

weights = tf.Variable(tf.ones((3,)))


# --- shown
@tf.function
def train_step(batch, learning_rate):
    error = tf.reduce_sum(batch * weights, axis=1) - 1.0
    weights.assign_sub(learning_rate * tf.reduce_mean(error[:, None] * batch, axis=0))
    return tf.reduce_mean(tf.square(error))


# --- end
losses = []
for step in range(8):
    batch = tf.random.stateless_uniform((4 + step, 3), seed=(1, step))
    losses.append(float(train_step(batch, 0.1 / (1 + step))))
