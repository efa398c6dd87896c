# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

images = tf.data.Dataset.range(100).map(lambda number: tf.fill((8, 8), number))
train = images.cache("cached_images").batch(10)
# --- shown
iterator = iter(train)
first = next(iterator)
# --- end
batches = list(train)
