# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

weights = tf.Variable(tf.ones((4, 2)))


# --- shown
@tf.function(input_signature=[tf.TensorSpec((None, 4), tf.float32)])
def predict(batch, scale):
    return scale * tf.matmul(batch, weights)
# --- end


result = predict(tf.ones((3, 4)), tf.constant(0.5))
