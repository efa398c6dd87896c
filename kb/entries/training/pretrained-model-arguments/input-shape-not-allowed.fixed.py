# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

# --- shown
inputs = keras.Input((224, 224, 1))
images = keras.layers.Concatenate()([inputs, inputs, inputs])  # grayscale to three channels
base = keras.applications.VGG16(weights=None, include_top=False, input_shape=(224, 224, 3))  # your program: weights="imagenet"
base = keras.Model(inputs, base(images))
# --- end
base.summary()
assert base.output_shape == (None, 7, 7, 512)
