# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import os

import tensorflow as tf

checkpoint = tf.train.Checkpoint(weights=tf.Variable([1.0, 2.0]))
tf.train.CheckpointManager(checkpoint, "checkpoints", max_to_keep=3).save()

checkpoint.weights.assign([0.0, 0.0])
# --- shown
prefix = tf.train.latest_checkpoint("checkpoints")
assert prefix, f"no checkpoint in {os.path.abspath('checkpoints')}: {os.listdir('checkpoints')}"
status = checkpoint.restore(prefix)
# --- end
assert checkpoint.weights.numpy().tolist() == [1.0, 2.0]
status.assert_existing_objects_matched()
