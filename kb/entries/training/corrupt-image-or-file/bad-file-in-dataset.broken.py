# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# files = {"photos/saved-page.jpg" = "<!DOCTYPE html><html><body>404 Not Found</body></html>"}
# ///
import pathlib

import tensorflow as tf

picture = tf.cast(tf.random.stateless_uniform((32, 32, 3), seed=(1, 2), maxval=256, dtype=tf.int32), tf.uint8)
for number in range(4):
    tf.io.write_file(f"photos/{number}.jpg", tf.io.encode_jpeg(picture))


def load(path):
    return tf.io.decode_jpeg(tf.io.read_file(path), channels=3)


paths = [str(path) for path in sorted(pathlib.Path("photos").rglob("*.jpg"))]


# --- shown
dataset = tf.data.Dataset.from_tensor_slices(paths).map(load).batch(2)
# --- end
for batch in dataset:
    print(batch.shape)
