# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

rows = [[0.5], [0.7, 0.6], [0.9]]
# --- shown
values = tf.TensorArray(tf.float32, size=3)
# --- end
for i, row in enumerate(rows):
    values = values.write(i, row)
result = values.concat().numpy()
