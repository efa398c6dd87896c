# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices(tf.fill((32, 4), 255.0))
# --- shown
dataset = dataset.map(lambda pixels: pixels / 255.0)
dataset = dataset.batch(8)
# --- end
batches = list(dataset.as_numpy_iterator())
assert len(batches) == 4 and max(batch.max() for batch in batches) == 1.0
