# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

series = tf.data.Dataset.range(20).map(lambda value: tf.cast(value, tf.float32))
# --- shown
windows = series.window(5, shift=1, drop_remainder=True)
windows = windows.flat_map(lambda window: window.batch(5))  # each window becomes a tensor
pairs = windows.map(lambda window: (window[:-1], window[-1]))
# --- end
inputs, targets = next(iter(pairs.batch(4)))
assert inputs.shape == (4, 4), inputs.shape
assert targets.numpy().tolist() == [4, 5, 6, 7], targets
