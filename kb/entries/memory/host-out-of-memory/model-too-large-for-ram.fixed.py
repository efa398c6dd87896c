# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
#
# [tool.tfhelp.limits]
# data_mib = 1600
#
# [tool.tfhelp.env]
# TF_ENABLE_ONEDNN_OPTS = "0"
# ///
import keras
import numpy as np

generator = np.random.default_rng(0)
images = generator.random((256, 128, 128, 3), dtype=np.float32)
labels = generator.integers(0, 2, size=256)
model = keras.Sequential(
    [
        keras.Input((128, 128, 3)),
        keras.layers.Conv2D(64, 3, activation="relu"),
        keras.layers.Conv2D(64, 3, activation="relu"),
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(2),
    ]
)
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))

# --- shown
batch_size = 8
# --- end
assert len(images) % batch_size == 0
model.fit(images, labels, batch_size=batch_size, steps_per_epoch=1, verbose=2)
