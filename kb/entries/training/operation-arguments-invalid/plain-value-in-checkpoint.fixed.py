# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

weight = tf.Variable(1.5)
# --- shown
checkpoint = tf.train.Checkpoint(weight=weight, epoch=tf.Variable(3))
# --- end
path = checkpoint.save("state")
print(path)
assert int(tf.train.load_variable(path, "epoch/.ATTRIBUTES/VARIABLE_VALUE")) == 3
