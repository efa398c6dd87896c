# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

# --- shown
layer = keras.layers.Dense(4, name="block/dense")
# --- end
model = keras.Sequential([keras.Input((4,)), layer])
