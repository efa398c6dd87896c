# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

# --- shown
assert tf.executing_eagerly(), "eager execution is off: look for disable_eager_execution or disable_v2_behavior"
# --- end
dataset = tf.data.Dataset.range(6).batch(2)
total = 0
for batch in dataset:
    total += int(batch.numpy().sum())
assert total == 15
