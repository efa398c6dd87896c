# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import os
import tempfile

import tensorflow as tf

path = os.path.join(tempfile.mkdtemp(), "1.png")
tf.io.write_file(path, tf.io.encode_png(tf.zeros((8, 8, 3), tf.uint8)))
# --- shown
image = tf.io.decode_png(path, channels=3)
# --- end
print(image.shape)
