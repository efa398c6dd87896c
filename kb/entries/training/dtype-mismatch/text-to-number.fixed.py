# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

lines = tf.constant(["5.1,3.5", "4.9,3.0"])
fields = tf.strings.split(lines, ",").to_tensor()
# --- shown
values = tf.strings.to_number(fields, tf.float32)
# --- end
print(tf.reduce_mean(values, axis=0))
assert values.dtype == tf.float32
