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
batches = reviews.padded_batch(3, padding_values=tf.constant(-1, tf.int64))
# --- end
batch = next(iter(batches))
assert batch.numpy().tolist() == [[4, 9, -1], [7, -1, -1], [3, 8, 5]], batch
