# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import pathlib
import tempfile

import tensorflow as tf

path = str(pathlib.Path(tempfile.mkdtemp()) / "train.tfrecord")
with tf.io.TFRecordWriter(path) as writer:
    for number in range(40):
        feature = {"value": tf.train.Feature(float_list=tf.train.FloatList(value=[number, number + 1.0, number + 2.0]))}
        writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())

spec = {"value": tf.io.FixedLenFeature([3], tf.float32)}
# --- shown
dataset = tf.data.TFRecordDataset(path).batch(8)
dataset = dataset.map(lambda record: tf.io.parse_single_example(record, spec))
# --- end
shapes = {tuple(batch["value"].shape) for batch in dataset}
