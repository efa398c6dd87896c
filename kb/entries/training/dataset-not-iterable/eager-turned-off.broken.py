# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

# --- shown
tf.compat.v1.disable_eager_execution()
# --- end
dataset = tf.data.Dataset.range(6).batch(2)
total = 0
for batch in dataset:
    total += int(batch.numpy().sum())
