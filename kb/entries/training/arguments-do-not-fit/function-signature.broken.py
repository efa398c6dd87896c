# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices((tf.ones((6, 4)), tf.zeros(6)))


# --- shown
def scale(image):
    return image / 255.0


# --- end
dataset = dataset.map(scale)
element = next(iter(dataset))
