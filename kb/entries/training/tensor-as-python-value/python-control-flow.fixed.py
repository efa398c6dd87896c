# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices([-3.0, 1.0, 2.0])


# --- shown
def normalise(value):
    scale = tf.where(value < 0.0, 10.0, 1.0)
    return value / scale


# --- end
assert [round(float(value), 1) for value in dataset.map(normalise)] == [-0.3, 1.0, 2.0]
print(list(dataset.map(normalise).as_numpy_iterator()))
