# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# limits = { processes = 24 }
# env = { OPENBLAS_NUM_THREADS = "1" }
# ///
import tensorflow as tf

# --- shown
threads = 2
# --- end
tf.config.threading.set_inter_op_parallelism_threads(threads)
tf.config.threading.set_intra_op_parallelism_threads(threads)
total = tf.reduce_sum(tf.ones((64, 64)))
assert float(total) == 64 * 64
