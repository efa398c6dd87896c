# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

weights = [tf.Variable(1.0), tf.Variable(2.0)]
gradients = [tf.constant(0.5), tf.constant(0.25)]
# --- shown
sums = {}
for weight, gradient in zip(weights, gradients):
    sums[weight] = gradient
# --- end
print(len(sums))
