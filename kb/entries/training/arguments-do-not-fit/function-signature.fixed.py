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
def scale(image, label):
    return image / 255.0, label


# --- end
dataset = dataset.map(scale)
element = next(iter(dataset))
assert float(element[0][0]) < 0.01 and float(element[1]) == 0.0
