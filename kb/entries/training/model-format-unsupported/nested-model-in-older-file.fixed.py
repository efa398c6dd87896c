# /// script
# requires-python = "==3.11.*"
# dependencies = ["tensorflow-cpu==2.17.*", "keras==3.4.1"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import keras
import numpy as np


def build():
    inputs = keras.Input((32, 32, 3))
    backbone = keras.Model(inputs, keras.layers.Conv2D(4, 3)(inputs))
    return keras.Sequential(
        [keras.Input((32, 32, 3)), backbone, keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(2)]
    )


saved = build()
saved.save("model.keras")

# --- shown
model = build()  # the same layers as before it was saved
model.load_weights("model.keras")
# --- end
model.predict(np.zeros((1, 32, 32, 3), "float32"))
assert all(np.array_equal(before, after) for before, after in zip(saved.get_weights(), model.get_weights(), strict=True))
