# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

width = 64
# --- shown
layer = keras.layers.Dense(width / 2)
# --- end
model = keras.Sequential([keras.Input((4,)), layer])
