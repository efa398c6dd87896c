# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()

step = tf.Variable(0, name="step")
graph = tf.Graph()
with graph.as_default():
    inputs = tf.placeholder(tf.float32, [None, 3], name="inputs")
    scores = tf.nn.softmax(inputs)
# --- shown
session = tf.Session(graph=graph)  # the graph in which the tensors were made
# --- end
assert session.graph is scores.graph
print(session.run(scores, feed_dict={inputs: [[1.0, 2.0, 3.0]]}))
