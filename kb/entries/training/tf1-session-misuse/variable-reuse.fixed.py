# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

tf1 = tf.compat.v1
tf1.disable_v2_behavior()
train, valid = tf1.placeholder(tf.float32, (8, 3)), tf1.placeholder(tf.float32, (2, 3))


def network(features):
    # --- shown
    with tf1.variable_scope("network", reuse=tf1.AUTO_REUSE):  # the second call gets the same variable
        weights = tf1.get_variable("weights", (3, 1))
    # --- end
    return features @ weights


loss, valid_loss = tf.reduce_mean(network(train)), tf.reduce_mean(network(valid))
assert len(tf1.global_variables()) == 1
print(loss, valid_loss)
