# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

images = tf.ones((4, 8, 8, 3))
# --- shown
channels_first = tf.transpose(images, [2, 0, 1])
# --- end
means = tf.reduce_mean(channels_first, axis=[-2, -1])
