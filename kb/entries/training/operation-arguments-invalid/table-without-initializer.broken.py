# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

codes = {"cat": 0, "dog": 1}
# --- shown
table = tf.lookup.StaticHashTable(codes, default_value=-1)
# --- end
found = table.lookup(tf.constant(["dog", "cow"]))
print(found)
