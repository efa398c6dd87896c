# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf


# --- shown
def example(image, label, name):
    features = {
        "image": tf.train.Feature(float_list=tf.train.FloatList(value=image)),
        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=label)),
        "name": tf.train.Feature(bytes_list=tf.train.BytesList(value=[name])),
    }
    return tf.train.Example(features=tf.train.Features(feature=features))


# --- end
with tf.io.TFRecordWriter("train.tfrecord") as writer:
    for number in range(4):
        writer.write(example(np.zeros((8, 8), np.float32), number % 2, f"image {number}").SerializeToString())
