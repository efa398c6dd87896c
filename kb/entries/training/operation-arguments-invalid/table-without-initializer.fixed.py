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
initializer = tf.lookup.KeyValueTensorInitializer(list(codes.keys()), list(codes.values()))
table = tf.lookup.StaticHashTable(initializer, default_value=-1)
# --- end
found = table.lookup(tf.constant(["dog", "cow"]))
print(found)
assert found.numpy().tolist() == [1, -1]
