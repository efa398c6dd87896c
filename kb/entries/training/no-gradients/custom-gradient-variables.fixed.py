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
    def gradient(upstream, variables=None):  # variables is [scale]
        return upstream * scale, [upstream * x]  # for x, and for each variable

    return x * scale, gradient


# --- end
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    loss = scaled(x)
gradients = tape.gradient(loss, [x, scale])
assert [float(gradient) for gradient in gradients] == [2.0, 3.0]
print(gradients)
