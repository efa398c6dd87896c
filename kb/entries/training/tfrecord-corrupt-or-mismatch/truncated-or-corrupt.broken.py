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
dataset = tf.data.TFRecordDataset(files)
# --- end
count = sum(1 for _ in dataset)
