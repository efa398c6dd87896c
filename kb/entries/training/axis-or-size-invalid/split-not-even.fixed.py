# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

features = tf.reshape(tf.range(128.0), (16, 8))
# --- shown
parts = tf.split(features, [3, 3, 2], axis=1)
# --- end
joined = tf.concat(parts, axis=1)
assert [part.shape[1] for part in parts] == [3, 3, 2]
assert float(tf.reduce_sum(tf.abs(joined - features))) == 0.0
