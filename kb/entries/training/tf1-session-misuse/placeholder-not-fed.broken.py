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
labels = tf.placeholder(tf.float32, [None, 1], name="labels")
weights = tf.get_variable("weights", [3, 1])
loss = tf.reduce_mean((tf.matmul(inputs, weights) - labels) ** 2)
session = tf.Session()
session.run(tf.global_variables_initializer())
# --- shown
feed = {inputs: [[1.0, 2.0, 3.0]]}
# --- end
print(session.run(loss, feed_dict=feed))
