# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

age = keras.Input((1,), name="age")
size = keras.Input((3,), name="size")
model = keras.Model({"age": age, "size": size}, keras.layers.Concatenate()([age, size]))

data = {"address": np.ones((2, 8)), "age": np.ones((2, 1)), "size": np.zeros((2, 3))}
# --- shown
inputs = {name: data[name] for name in ("age", "size")}
# --- end
result = model.predict(inputs, verbose=0)
assert result.tolist() == [[1, 0, 0, 0]] * 2
