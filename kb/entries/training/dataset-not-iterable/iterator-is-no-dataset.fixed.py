# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf

images, labels = np.full((8, 6, 6, 3), 255.0), np.arange(8)
generator = tf.keras.preprocessing.image.ImageDataGenerator(rescale=1 / 255)
iterator = generator.flow(images, labels, batch_size=4, shuffle=False)
# --- shown
features, classes = iterator[0]  # the first batch, as NumPy arrays
# --- end
average = tf.reduce_mean(features)
assert features.shape == (4, 6, 6, 3) and float(average) == 1.0
assert classes.tolist() == [0, 1, 2, 3]
