# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

images = np.zeros((4, 8, 8, 3))
# --- shown
model = keras.Sequential([
    keras.Input((8, 8, 3)),
    keras.layers.Conv2D(16, 3),  # its output is (6, 6, 16)
    keras.layers.Reshape((-1, 16)),  # Keras computes 6 * 6 = 36
])
# --- end
print(model.predict(images, verbose=0).shape)
assert model.output_shape == (None, 36, 16)
