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
def is_whole(prefix):
    """Whether every variable of a checkpoint can be read."""
    try:
        reader = tf.train.load_checkpoint(prefix)
        for name in reader.get_variable_to_shape_map():
            reader.get_tensor(name)
    except (IndexError, tf.errors.OpError):
        return False
    return True


prefix = next(prefix for prefix in reversed(manager.checkpoints) if is_whole(prefix))
# --- end
assert prefix.endswith("ckpt-1")
checkpoint.restore(prefix)
