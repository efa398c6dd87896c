# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

reviews = tf.data.Dataset.from_generator(
    lambda: iter([[4, 9], [7], [3, 8, 5]]), output_signature=tf.TensorSpec([None], tf.int64)
)
# --- shown
batches = reviews.padded_batch(3, padding_values=-1)
# --- end
batch = next(iter(batches))
