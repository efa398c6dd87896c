# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf

images = np.ones((4, 20, 20, 3), "float32")


# --- shown
def crop(image):
    top = (tf.shape(image)[0] - 16) // 2
    left = (tf.shape(image)[1] - 16) // 2
    return tf.image.crop_to_bounding_box(image, top, left, 16, 16)


# --- end
dataset = tf.data.Dataset.from_tensor_slices(images).map(crop)
batches = list(dataset.batch(4))
assert batches[0].shape == (4, 16, 16, 3)
