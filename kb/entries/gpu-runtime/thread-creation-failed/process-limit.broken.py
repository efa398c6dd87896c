# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# signal = "SIGABRT"# limits = { processes = 24 }
# env = { OPENBLAS_NUM_THREADS = "1" }
# ///
import tensorflow as tf

# --- shown
threads = 64
# --- end
tf.config.threading.set_inter_op_parallelism_threads(threads)
tf.config.threading.set_intra_op_parallelism_threads(threads)
total = tf.reduce_sum(tf.ones((64, 64)))
