# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

# --- shown
normalize = tf.keras.layers.Normalization()
# --- end
normalize.adapt(tf.constant([[1.0], [3.0]]))
assert float(normalize(tf.constant([[3.0]]))[0, 0]) == 1.0
