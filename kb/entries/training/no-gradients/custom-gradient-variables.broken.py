# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

scale = tf.Variable(2.0)


# --- shown
@tf.custom_gradient
def scaled(x):
    def gradient(upstream):
        return upstream * scale

    return x * scale, gradient


# --- end
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    loss = scaled(x)
gradients = tape.gradient(loss, [x, scale])
print(gradients)
