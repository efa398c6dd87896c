# /// script
# requires-python = "==3.11.*"
# dependencies = ["numpy==1.26.*"]
#
# [tool.tfhelp]
# timeout = 120
#
# [tool.tfhelp.files]
# "tensorflow/python/notes.txt" = "left over\n"
# ///
import tensorflow as tf

print(tf.reduce_sum(tf.constant([1.0, 2.0])))
