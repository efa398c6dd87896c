# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
#
# [tool.tfhelp.files]
# "step.py" = '''
# import tensorflow as tf
#
# print("sum", float(tf.reduce_sum(tf.constant([1.0, 2.0]))))
# '''
# ///
import subprocess

# --- shown
import sys

command = [sys.executable, "step.py"]  # the interpreter of this environment, whatever PATH says
# --- end
done = subprocess.run(command, env={"PATH": "/usr/bin:/bin"}, stdout=subprocess.PIPE, text=True, check=True)
assert done.stdout.strip() == "sum 3.0"
print(done.stdout)
