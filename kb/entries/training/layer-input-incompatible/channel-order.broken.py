# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

pictures = np.random.default_rng(0).random((16, 3, 64, 64)).astype("float32")
labels = np.arange(16) % 2
model = keras.Sequential(
    [keras.Input((64, 64, 3)), keras.layers.Conv2D(4, 3), keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(2)]
)
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))

# --- shown
images = pictures
# --- end
model.fit(images, labels, epochs=1)
