# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import glob
import os

import tensorflow as tf

images = tf.data.Dataset.range(100).map(lambda number: tf.fill((8, 8), number))
train = images.cache("cached_images").batch(10)
# --- shown
iterator = iter(images.batch(10))  # to look at one batch, read the data set without the cache
first = next(iterator)
# --- end
batches = list(train)
assert len(batches) == 10 and os.path.exists("cached_images.index") and not glob.glob("*.lockfile")
