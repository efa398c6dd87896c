# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
#
# [tool.tfhelp.limits]
# open_files = 128
# ///
import keras
import numpy as np
import tensorflow as tf

generator = np.random.default_rng(0)
for shard in range(300):
    with tf.io.TFRecordWriter(f"part-{shard:05d}.tfrecord") as writer:
        for _ in range(4):
            writer.write(generator.normal(size=8).astype("float32").tobytes())

files = tf.data.Dataset.list_files("part-*.tfrecord")
# --- shown
records = files.interleave(tf.data.TFRecordDataset, cycle_length=300)
# --- end
dataset = records.map(lambda record: tf.io.decode_raw(record, tf.float32)).map(lambda row: (row[:7], row[7:])).batch(32)
model = keras.Sequential([keras.Input((7,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
history = model.fit(dataset, epochs=1, verbose=2)
