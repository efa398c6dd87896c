# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# env = { TF_ENABLE_ONEDNN_OPTS = "0" }
# ///
import os

import numpy as np
import tensorflow as tf

free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
rows = int(0.15 * free) // (4 * 1024)

# --- shown
batches = tf.data.Dataset.range(0, rows, 4096).map(lambda start: tf.random.uniform((4096, 1024)))
means = [tf.reduce_mean(batch) for batch in batches]
# --- end
print("mean", np.mean(means))
assert 0.49 < np.mean(means) < 0.51
