# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import pathlib
import tempfile

import keras
import numpy as np
import tensorflow as tf

folder = pathlib.Path(tempfile.mkdtemp())
for kind in ("cats", "dogs"):
    for number in range(3):
        name = folder / "train" / kind / f"{number}.png"
        tf.io.write_file(str(name), tf.io.encode_png(np.zeros((16, 16, 3), np.uint8)))
# --- shown
directory = folder / "train"  # the folder whose folders are the classes
# --- end
dataset = keras.utils.image_dataset_from_directory(directory, image_size=(16, 16))
assert dataset.class_names == ["cats", "dogs"]
