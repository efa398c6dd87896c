# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf

for number, size in enumerate([(40, 60, 3), (48, 48, 1)]):
    pixels = np.full(size, 128, dtype="uint8")
    tf.io.write_file(f"photo-{number}.png", tf.io.encode_png(pixels))


# --- shown
def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (48, 48))


# --- end
assert load("photo-1.png").shape == (48, 48, 3)
batches = tf.data.Dataset.list_files("photo-*.png").map(load).batch(2)
print(next(iter(batches)).shape)
