# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

layers = keras.layers
images = np.random.default_rng(0).random((2, 45, 45, 3)).astype("float32")
# --- shown
inputs = keras.Input((45, 45, 3))
padded = layers.ZeroPadding2D(((0, 3), (0, 3)))(inputs)  # 48: two poolings of 2 divide it by 4 without a remainder
first = layers.Conv2D(8, 3, padding="same")(padded)
second = layers.Conv2D(8, 3, padding="same")(layers.MaxPooling2D()(first))
bottom = layers.Conv2D(8, 3, padding="same")(layers.MaxPooling2D()(second))
up = layers.Add()([layers.UpSampling2D()(bottom), second])
outputs = layers.Cropping2D(((0, 3), (0, 3)))(layers.Conv2D(1, 1)(layers.Add()([layers.UpSampling2D()(up), first])))
# --- end
model = keras.Model(inputs, outputs)
predictions = model.predict(images, verbose=0)
assert predictions.shape == (2, 45, 45, 1)
