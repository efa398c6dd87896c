# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
# --- shown
optimizer = keras.optimizers.SGD
# --- end
model.compile(optimizer=optimizer, loss="mse")
