# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import glob
import tempfile

import tensorflow as tf

folder = tempfile.mkdtemp()


# --- shown
def profile(name, matrix):
    with tf.profiler.experimental.Profile(f"{folder}/{name}"):
        return tf.linalg.matmul(matrix, matrix)


# --- end
for size in (64, 128):
    profile(size, tf.ones((size, size)))
profiles = glob.glob(f"{folder}/*/plugins/profile/*/*.xplane.pb")
assert len(profiles) == 2, profiles
