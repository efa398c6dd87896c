# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "tf_keras==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import tf_keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
# --- shown
optimizer = tf_keras.optimizers.Adam(1e-3)
# --- end
model.compile(optimizer=optimizer, loss="mse")
