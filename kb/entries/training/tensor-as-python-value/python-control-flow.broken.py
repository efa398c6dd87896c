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
    scale = 10.0 if value.numpy() < 0.0 else 1.0
    return value / scale


# --- end
print(list(dataset.map(normalise).as_numpy_iterator()))
