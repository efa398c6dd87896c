# /// script
# requires-python = "==3.11.*"
# dependencies = ["tensorflow==2.16.*"]
#
# [tool.tfhelp]
# timeout = 180
# exit = 0
# ///
# --- shown
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"  # before TensorFlow is imported; hides warnings of the C++ part

import tensorflow as tf
# --- end

numbers = tf.data.Dataset.range(8).batch(4)
total = 0
for batch in numbers:
    total += int(tf.reduce_sum(batch))
print("sum", total)
assert total == 28
