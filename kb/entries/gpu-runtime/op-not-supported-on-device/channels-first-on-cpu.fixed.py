# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# env = { TF_ENABLE_ONEDNN_OPTS = "0" }
# ///
import keras
import numpy as np

images = np.random.default_rng(0).random((32, 3, 16, 16), dtype="float32")
labels = np.arange(32) % 2

# --- shown
images = np.moveaxis(images, 1, -1)  # (number, channels, height, width) -> (number, height, width, channels)
model = keras.Sequential(
    [
        keras.Input(images.shape[1:]),
        keras.layers.Conv2D(8, 3, activation="relu", data_format="channels_last"),
        keras.layers.GlobalAveragePooling2D(data_format="channels_last"),
        keras.layers.Dense(2),
    ]
)
# --- end
assert model.input_shape == (None, 16, 16, 3)
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(images, labels, epochs=1, verbose=2)
