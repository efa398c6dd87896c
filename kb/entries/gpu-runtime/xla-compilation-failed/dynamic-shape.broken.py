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
    found = tf.zeros((0,))
    for value in row:
        tf.autograph.experimental.set_loop_options(shape_invariants=[(found, tf.TensorShape([None]))])
        if value > 0:
            found = tf.concat([found, [value]], axis=0)
    return found


# --- end
print(positive_first(tf.constant([1.0, -1.0, 2.0, -3.0])))
