# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

texts = tf.data.Dataset.from_tensor_slices(["a", "a b", "a b c d", "a b c d e f g"]).map(tf.strings.split)
# --- shown
boundaries = [3, 6]  # up to 2 words, 3 to 5 words, 6 words and more
batch_sizes = [8, 4]
batches = texts.bucket_by_sequence_length(tf.size, boundaries, batch_sizes)
# --- end
shapes = [tuple(batch.shape) for batch in batches]
