# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "tf_keras==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
# --- shown
optimizer = keras.optimizers.Adam(1e-3)  # from the package that the model is from
# --- end
model.compile(optimizer=optimizer, loss="mse")
assert type(model.optimizer).__module__.split(".")[0] == type(model).__module__.split(".")[0] == "keras"
