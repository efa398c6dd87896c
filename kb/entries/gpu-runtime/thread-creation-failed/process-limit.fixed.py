# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# limits = { processes = 60 }
# env = { OPENBLAS_NUM_THREADS = "1" }
# ///
import tensorflow as tf

dataset = tf.data.Dataset.range(8).map(tf.square)
options = tf.data.Options()
# --- shown
options.threading.private_threadpool_size = 4
# --- end
total = dataset.with_options(options).reduce(tf.constant(0, tf.int64), tf.add)
assert int(total) == 140
