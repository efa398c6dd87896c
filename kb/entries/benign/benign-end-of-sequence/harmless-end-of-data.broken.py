# /// script
# requires-python = "==3.11.*"
# dependencies = ["tensorflow==2.16.*"]
#
# [tool.tfhelp]
# timeout = 180
# exit = 0
# ///
import tensorflow as tf

numbers = tf.data.Dataset.range(8).batch(4)
total = 0
for batch in numbers:
    total += int(tf.reduce_sum(batch))
print("sum", total)
