# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

# --- shown
model = keras.Sequential(
    [
        keras.layers.Dense(8, activation="relu"),
        keras.layers.Dense(1),
    ]
)
# --- end
model.build((None, 4))
assert len(model.layers) == 2
