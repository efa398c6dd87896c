# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
"""Records written, compressed and read again."""

import keras
import tensorflow as tf

options = tf.io.TFRecordOptions(compression_type="GZIP")
for part in range(2):
    with tf.io.TFRecordWriter(f"part-{part}.tfrecord", options) as writer:
        for number in range(32):
            values = tf.train.Feature(float_list=tf.train.FloatList(value=[number / 32.0] * 4))
            example = tf.train.Example(features=tf.train.Features(feature={"values": values}))
            writer.write(example.SerializeToString())


def parse(record):
    values = tf.io.parse_single_example(record, {"values": tf.io.FixedLenFeature((4,), tf.float32)})["values"]
    return values, tf.reduce_sum(values)


files = tf.data.Dataset.list_files("part-*.tfrecord", shuffle=False)
data = files.interleave(lambda name: tf.data.TFRecordDataset(name, "GZIP")).map(parse).batch(16)
data = data.apply(tf.data.experimental.assert_cardinality(4))
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(data, epochs=2, verbose=2)
