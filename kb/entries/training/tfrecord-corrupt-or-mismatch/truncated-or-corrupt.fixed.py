# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import pathlib

import tensorflow as tf

for name in ("train-0.tfrecord", "train-1.tfrecord"):
    with tf.io.TFRecordWriter(name) as writer:
        for number in range(50):
            feature = tf.train.Feature(float_list=tf.train.FloatList(value=[number] * 100))
            writer.write(tf.train.Example(features=tf.train.Features(feature={"x": feature})).SerializeToString())
# The copy of the second file was interrupted.
whole = pathlib.Path("train-1.tfrecord").read_bytes()
pathlib.Path("train-1.tfrecord").write_bytes(whole[: len(whole) // 2 + 200])

files = ["train-0.tfrecord", "train-1.tfrecord"]
# --- shown


def records_of(file):
    """Number of records in a file; 0 and a line that says why if it is damaged."""
    try:
        return sum(1 for _ in tf.data.TFRecordDataset(file))
    except tf.errors.DataLossError as error:
        print(file, error.message)
        return 0


files = [file for file in files if records_of(file) > 0]
dataset = tf.data.TFRecordDataset(files)
# --- end
count = sum(1 for _ in dataset)
assert files == ["train-0.tfrecord"] and count == 50
