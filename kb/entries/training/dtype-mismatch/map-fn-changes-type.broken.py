# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

lines = tf.constant(["1 2", "3 4"])


def numbers(line):
    return tf.strings.to_number(tf.strings.split(line))


# --- shown
values = tf.map_fn(numbers, lines)
# --- end
print(tf.reduce_sum(values))
