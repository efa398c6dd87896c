# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 45
# exit = "hangs"
# ///
import faulthandler
import math

import keras
import numpy as np
import tensorflow as tf

faulthandler.dump_traceback_later(25)  # show where it waits


class Photos(keras.utils.PyDataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        photos = tf.image.resize(tf.ones((4, 512, 512, 3)) * index, (64, 64))
        return photos.numpy() / 8.0, np.full((4, 1), math.sin(index), "float32")


model = keras.Sequential([keras.Input((64, 64, 3)), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
# --- shown
photos = Photos(workers=2, use_multiprocessing=True)
# --- end
history = model.fit(photos, epochs=2, verbose=2)
