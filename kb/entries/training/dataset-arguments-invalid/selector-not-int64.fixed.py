# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

photos = tf.data.Dataset.from_tensors("photo").repeat()
drawings = tf.data.Dataset.from_tensors("drawing").repeat()
# --- shown
order = tf.data.Dataset.from_tensor_slices(tf.constant([0, 0, 1], tf.int64))
mixed = tf.data.Dataset.choose_from_datasets([photos, drawings], order)
# --- end
names = list(mixed.as_numpy_iterator())
assert names == [b"photo", b"photo", b"drawing"], names
