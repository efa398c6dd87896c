# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "pip"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import subprocess
import sys

# --- shown
wanted = "ml-dtypes>=0.5.1,<1"
# --- end
options = ["-q", "--disable-pip-version-check", "--no-deps", "-t", "packages"]
subprocess.run([sys.executable, "-m", "pip", "install", *options, wanted], check=True)
sys.path.insert(0, "packages")

import tensorflow as tf

total = tf.reduce_sum(tf.constant([1.5, 2.5], tf.bfloat16))

assert float(total) == 4.0
