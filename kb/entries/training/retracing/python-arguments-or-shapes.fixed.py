# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

weights = tf.Variable(tf.ones((3,)))


# --- shown
@tf.function(
    input_signature=[
        tf.TensorSpec((None, 3), tf.float32),  # any number of rows
        tf.TensorSpec((), tf.float32),
    ]
)
def train_step(batch, learning_rate):
    error = tf.reduce_sum(batch * weights, axis=1) - 1.0
    weights.assign_sub(learning_rate * tf.reduce_mean(error[:, None] * batch, axis=0))
    return tf.reduce_mean(tf.square(error))


losses = []
for step in range(8):
    batch = tf.random.stateless_uniform((4 + step, 3), seed=(1, step))
    losses.append(float(train_step(batch, tf.constant(0.1 / (1 + step)))))
# --- end
assert train_step.experimental_get_tracing_count() == 1
