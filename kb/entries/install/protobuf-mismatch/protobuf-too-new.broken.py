# /// script
# requires-python = "==3.8.*"
# dependencies = ["tensorflow-cpu==2.5.3", "protobuf>=4"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

weights = tf.Variable(tf.ones((3, 1)))
print(tf.matmul(tf.constant([[1.0, 2.0, 3.0]]), weights))
