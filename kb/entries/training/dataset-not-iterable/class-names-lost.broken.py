# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import os
import tempfile

import keras
import tensorflow as tf

folder = tempfile.mkdtemp()
for name in ("cat", "dog"):
    os.mkdir(os.path.join(folder, name))
    tf.io.write_file(os.path.join(folder, name, "1.png"), tf.io.encode_png(tf.zeros((8, 8, 3), tf.uint8)))
# --- shown
train = keras.utils.image_dataset_from_directory(folder, image_size=(8, 8))
train = train.cache().prefetch(tf.data.AUTOTUNE)
names = train.class_names
# --- end
print(names)
