# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

model = keras.Sequential([keras.Input((32, 32, 3))])
# --- shown
for filters in (32, 64, 128, 256):
    model.add(keras.layers.Conv2D(filters, 3, activation="relu"))
    model.add(keras.layers.MaxPooling2D())
# --- end
model.summary()
