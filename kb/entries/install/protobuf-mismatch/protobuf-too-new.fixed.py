# /// script
# requires-python = "==3.8.*"
# dependencies = ["tensorflow-cpu==2.5.*", "protobuf<3.21"]
#
# [tool.tfhelp]
# timeout = 120
# ///
# --- shown
import google.protobuf
import tensorflow as tf

assert int(google.protobuf.__version__.split(".")[0]) < 4, google.protobuf.__file__
# --- end

weights = tf.Variable(tf.ones((3, 1)))
print(tf.matmul(tf.constant([[1.0, 2.0, 3.0]]), weights))
