# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# observed = true
# exit = 0
# ///
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices(tf.fill((32, 4), 255.0))
# --- shown
dataset.map(lambda pixels: pixels / 255.0)
dataset.batch(8)
# --- end
batches = list(dataset.as_numpy_iterator())
print("shape of an element:", batches[0].shape, "first value:", batches[0][0])
