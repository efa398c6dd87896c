# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

# --- shown
steps = tf.Variable(0)


@tf.function
def train_step(x):
    steps.assign_add(1)  # these two are operations of the graph
    tf.print("step", steps)
    return tf.square(x)


# --- end
for number in range(5):
    loss = train_step(tf.constant(float(number)))
assert int(steps) == 5
