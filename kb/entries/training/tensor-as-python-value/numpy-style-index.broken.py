# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

probabilities = tf.constant([[0.1, 0.9], [0.8, 0.2], [0.3, 0.7]])
labels = tf.constant([1, 0, 0])
# --- shown
chosen = probabilities[tf.range(3), labels]  # one value of each row
rows = probabilities[[0, 2]]  # some of the rows
# --- end
print(tf.reduce_mean(chosen), rows.shape)
