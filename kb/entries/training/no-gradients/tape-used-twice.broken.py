# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

weight = tf.Variable(2.0)
# --- shown
with tf.GradientTape() as tape:
    square = weight**2
    cube = weight**3
first = tape.gradient(square, weight)
second = tape.gradient(cube, weight)
# --- end
