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
    return batch * 2


# --- end
batches = list(dataset.map(doubled))
assert [len(batch) for batch in batches] == [4, 4, 2]
