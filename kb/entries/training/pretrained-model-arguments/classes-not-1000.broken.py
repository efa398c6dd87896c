# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

# --- shown
model = keras.applications.MobileNetV2(weights="imagenet", classes=5)
# --- end
model.summary()
