# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

keras.Sequential([keras.Input((4,)), keras.layers.Dense(8), keras.layers.Dense(1)])  # an earlier cell of a notebook
# --- shown
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, name="features"), keras.layers.Dense(1)])
features = model.get_layer("features").output
# --- end
assert features.shape == (None, 8)
