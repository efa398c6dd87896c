# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import tensorflow as tf

dataset = tf.data.Dataset.range(10).batch(4)


# --- shown
def doubled(batch):
    return tf.stack([batch[i] * 2 for i in range(4)])


# --- end
batches = list(dataset.map(doubled))
