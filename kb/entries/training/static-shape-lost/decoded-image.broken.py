# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import pathlib
import tempfile

import numpy as np
import tensorflow as tf

folder = pathlib.Path(tempfile.mkdtemp())
for number in range(4):
    pixels = np.random.default_rng(number).integers(0, 255, (40, 30, 3), dtype=np.uint8)
    tf.io.write_file(str(folder / f"{number}.jpg"), tf.io.encode_jpeg(pixels))


def load(path):
    # --- shown
    image = tf.image.decode_image(tf.io.read_file(path), channels=3)
    # --- end
    return tf.image.resize(image, (24, 24))


dataset = tf.data.Dataset.list_files(str(folder / "*.jpg")).map(load).batch(4)
images = next(iter(dataset))
