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
used, unused = tf.get_variable("used", [3, 1]), tf.get_variable("unused", [3, 1])
loss = tf.reduce_mean(tf.matmul(inputs, used))
# --- shown
gradients = tf.gradients(loss, [used, unused])
# --- end
session = tf.Session()
session.run(tf.global_variables_initializer())
values = session.run(gradients, feed_dict={inputs: [[1.0, 2.0, 3.0]]})
