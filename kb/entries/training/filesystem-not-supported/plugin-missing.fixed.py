# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import pathlib

import tensorflow as tf

tf.io.write_file("train.tfrecord", "")
# --- shown
path = f"file://{pathlib.Path('train.tfrecord').resolve()}"  # a copy that another tool made
# --- end
assert path.startswith("file://")
print(tf.io.gfile.exists(path), list(tf.data.TFRecordDataset(path)))
