# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf

digits = np.random.default_rng(0).random((5, 28, 28), dtype="float32")
with tf.io.TFRecordWriter("digits.tfrecord") as writer:
    for digit in digits:
        data = tf.train.Feature(bytes_list=tf.train.BytesList(value=[digit.tobytes()]))
        writer.write(tf.train.Example(features=tf.train.Features(feature={"digit": data})).SerializeToString())


def parse(record):
    features = tf.io.parse_single_example(record, {"digit": tf.io.FixedLenFeature([], tf.string)})
    # --- shown
    pixels = tf.io.decode_raw(features["digit"], tf.float32)  # the dtype of the array whose bytes were written
    # --- end
    return tf.reshape(pixels, (28, 28))


read = list(tf.data.TFRecordDataset("digits.tfrecord").map(parse))
assert np.array_equal(read, digits)
