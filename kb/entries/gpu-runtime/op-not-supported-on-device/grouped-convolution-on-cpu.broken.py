# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np
import tensorflow as tf

layer = keras.layers.Conv2D(8, 3)
layer.build((None, None, None, 1))


@tf.function(input_signature=[tf.TensorSpec((None, None, None, None), tf.float32)])
def features_of(images):
    return tf.reduce_max(tf.nn.conv2d(images, layer.kernel, 1, "SAME"), axis=(1, 2))


colour = np.random.default_rng(0).random((4, 16, 16, 3), dtype="float32")

# --- shown
images = colour
# --- end
print(features_of(images).shape)
