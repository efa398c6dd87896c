# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

readings = [0.5, 0.7, 0.6, 0.9]
# --- shown
values = tf.TensorArray(tf.float32, size=3)
# --- end
for i, reading in enumerate(readings):
    values = values.write(i, reading)
result = values.stack().numpy()
