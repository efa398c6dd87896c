# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

# --- shown
noise = tf.random.stateless_normal((4, 3), seed=(7, 0))
# --- end
print(float(tf.reduce_mean(noise)))
assert noise.shape == (4, 3)
