# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf

images = tf.data.Dataset.from_tensor_slices(np.zeros((4, 8, 8, 3), "float32"))
# --- shown
labels = [0, 1, 0, 1]
pairs = tf.data.Dataset.zip((images, labels))
# --- end
numbers = [int(label) for image, label in pairs]
