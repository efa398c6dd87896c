# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import subprocess
import sys

subprocess.run([sys.executable, "-m", "pip", "show", "-q", "tensorflow"], check=False)

# --- shown
import tensorflow as tf

print(sys.executable, tf.__version__, tf.__file__)
# --- end
assert tf.__file__.startswith(sys.prefix)

weights = tf.Variable(tf.ones((3, 1)))
print(tf.matmul(tf.constant([[1.0, 2.0, 3.0]]), weights))
