# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf


# --- shown
@tf.function(jit_compile=True)
def positive_first(row):
    keep = row > 0
    order = tf.argsort(tf.cast(keep, tf.int32), direction="DESCENDING", stable=True)
    return tf.where(tf.gather(keep, order), tf.gather(row, order), 0.0)  # as long as the row, zeros at the end


# --- end
assert positive_first(tf.constant([1.0, -1.0, 2.0, -3.0])).numpy().tolist() == [1.0, 2.0, 0.0, 0.0]
print(positive_first(tf.constant([1.0, -1.0, 2.0, -3.0])))
