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
command = ["python3", "step.py"]
# --- end
done = subprocess.run(command, env={"PATH": "/usr/bin:/bin"}, stdout=subprocess.PIPE, text=True, check=True)
print(done.stdout)
