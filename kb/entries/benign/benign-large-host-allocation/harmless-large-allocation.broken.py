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
features = tf.random.uniform((rows, 1024))
means = [tf.reduce_mean(features)]
# --- end
print("mean", np.mean(means))
