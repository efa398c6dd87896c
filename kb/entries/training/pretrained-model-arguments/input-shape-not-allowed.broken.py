# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

# --- shown
base = keras.applications.VGG16(weights="imagenet", include_top=False, input_shape=(224, 224, 1))
# --- end
base.summary()
