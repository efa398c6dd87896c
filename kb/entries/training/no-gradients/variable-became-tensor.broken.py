# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

w = tf.Variable(4.0)
for step in range(20):
    with tf.GradientTape() as tape:
        loss = (w - 1.0) ** 2
    gradient = tape.gradient(loss, w)
    # --- shown
    w = w - 0.2 * gradient
    # --- end
value = float(w)
