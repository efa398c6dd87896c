# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

labels = tf.constant([0.0, 2.0, 1.0])
# --- shown
one_hot = tf.one_hot(labels, 3)
# --- end
print(one_hot)
