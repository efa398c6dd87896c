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
    compression = "GZIP" if file.endswith(".gz") else None
    return [int(record.numpy()) for record in tf.data.TFRecordDataset(file, compression_type=compression)]


# --- end
assert records_of("train.tfrecord.gz") == list(range(10))
print(records_of("train.tfrecord.gz"))
