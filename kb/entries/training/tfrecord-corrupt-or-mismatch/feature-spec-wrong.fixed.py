# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

with tf.io.TFRecordWriter("train.tfrecord") as writer:
    for label in (0, 1, 2):
        feature = {
            "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label])),
            "tokens": tf.train.Feature(int64_list=tf.train.Int64List(value=range(label + 1))),
        }
        writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())

# --- shown
description = {
    "label": tf.io.FixedLenFeature((), tf.int64),  # as written: int64_list
    "tokens": tf.io.RaggedFeature(tf.int64),  # their number varies
}


def parse(record):
    example = tf.io.parse_single_example(record, description)
    return example["tokens"], tf.cast(example["label"], tf.float32)


# --- end
dataset = tf.data.TFRecordDataset("train.tfrecord").map(parse)
assert [len(tokens) for tokens, label in dataset] == [1, 2, 3]
for tokens, label in dataset:
    print(tokens.shape, float(label))
