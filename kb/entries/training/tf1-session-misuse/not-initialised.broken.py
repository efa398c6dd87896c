# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()

inputs = tf.placeholder(tf.float32, [None, 3], name="inputs")
weights = tf.get_variable("weights", [3, 1])
predictions = tf.matmul(inputs, weights)
session = tf.Session()
# --- shown
saver = tf.train.Saver()
# --- end
session.run(predictions, feed_dict={inputs: [[1.0, 2.0, 3.0]]})
