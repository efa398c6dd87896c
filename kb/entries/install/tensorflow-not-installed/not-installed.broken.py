# /// script
# requires-python = "==3.11.*"
# dependencies = ["numpy==1.26.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import subprocess
import sys

subprocess.run([sys.executable, "-m", "pip", "show", "-q", "tensorflow"], check=False)

import tensorflow as tf

weights = tf.Variable(tf.ones((3, 1)))
print(tf.matmul(tf.constant([[1.0, 2.0, 3.0]]), weights))
