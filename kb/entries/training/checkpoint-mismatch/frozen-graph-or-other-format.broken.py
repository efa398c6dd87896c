# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

weights = tf.Variable([1.0, 2.0])
checkpoint = tf.train.Checkpoint(weights=weights)
module = tf.Module()
module.weights = weights
tf.saved_model.save(module, "exported")
# --- shown
prefix = "exported/saved_model.pb"
# --- end
checkpoint.read(prefix).expect_partial()
