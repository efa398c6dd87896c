# /// script
# requires-python = "==3.8.*"
# dependencies = ["tensorflow-cpu==2.5.*", "protobuf<3.21"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import time

import tensorflow as tf


def rows():
    number = 0.0
    while True:
        yield number
        number += 1.0


stream = tf.data.Dataset.from_generator(rows, output_signature=tf.TensorSpec((), tf.float32)).batch(4).prefetch(2)
sums = []
# --- shown
for batch in stream.take(3):
    sums.append(tf.reduce_sum(batch))
# --- end
assert len(sums) == 3
print("sum", float(tf.add_n(sums)))
# By then the pipeline is full and waits. If Python ends while the generator runs, TensorFlow 2.5 can hang at the end.
time.sleep(1)
