# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

checkpoint = tf.train.Checkpoint(weights=tf.Variable([1.0, 2.0]))
tf.train.CheckpointManager(checkpoint, "checkpoints", max_to_keep=3).save()

checkpoint.weights.assign([0.0, 0.0])
# --- shown
prefix = "checkpoints/ckpt"
status = checkpoint.restore(prefix)
# --- end
status.assert_existing_objects_matched()
