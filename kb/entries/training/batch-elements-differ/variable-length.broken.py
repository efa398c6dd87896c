# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

sentences = [[4, 8, 2], [7, 1], [9, 3, 5, 6]]
dataset = tf.data.Dataset.from_generator(lambda: sentences, output_signature=tf.TensorSpec([None], tf.int32))
# --- shown
batches = dataset.batch(3)
# --- end
print(tf.reduce_max(next(iter(batches))))
