# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///

import tensorflow as tf

tf.io.write_file("train.tfrecord", "")
# --- shown
path = "s3://my-bucket/train.tfrecord"
# --- end
print(tf.io.gfile.exists(path), list(tf.data.TFRecordDataset(path)))
