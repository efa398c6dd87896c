# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, None])])
def squares(rows):
    values = tf.TensorArray(tf.float32, size=2)
    for i in tf.range(2):
        # --- shown
        values = values.write(i, tf.square(rows[i]))
        # --- end
    return values.stack()


result = squares(tf.constant([[1.0, 2.0], [3.0, 4.0]]))
assert result.numpy().tolist() == [[1.0, 4.0], [9.0, 16.0]], result
