# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import os

import tensorflow as tf

checkpoint = tf.train.Checkpoint(weights=tf.Variable(tf.ones((256, 256))))
manager = tf.train.CheckpointManager(checkpoint, "checkpoints", max_to_keep=3)
manager.save()
newest = manager.save()
os.truncate(newest + ".data-00000-of-00001", 100_000)  # what a copy leaves behind that ended early

# --- shown
prefix = newest
# --- end
checkpoint.restore(prefix)
