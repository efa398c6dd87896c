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
model = keras.models.load_model("model.keras")
# --- end
model.predict(np.zeros((1, 32, 32, 3), "float32"))
