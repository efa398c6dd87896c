# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# observed = true
# exit = 0
# ///
import numpy as np
import tensorflow as tf

images = tf.data.Dataset.from_tensor_slices(tf.ones((16, 8, 8, 1)))


# --- shown
def brighten(image):
    return image * np.random.uniform(0.5, 1.5)


# --- end
augmented = images.map(brighten)
brightness = {float(image[0, 0, 0]) for image in augmented}
print("brightness of the images:", brightness)
