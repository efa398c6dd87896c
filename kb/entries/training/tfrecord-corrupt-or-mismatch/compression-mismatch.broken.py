# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

with tf.io.TFRecordWriter("train.tfrecord.gz", options="GZIP") as writer:
    for number in range(10):
        writer.write(str(number).encode())


# --- shown
def records_of(file):
    return [int(record.numpy()) for record in tf.data.TFRecordDataset(file)]


# --- end
print(records_of("train.tfrecord.gz"))
