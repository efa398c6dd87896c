# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

inputs = keras.Input((4,))
# --- shown
outputs = keras.layers.Lambda(lambda x: keras.ops.normalize(x, axis=1))(inputs)
# --- end
model = keras.Model(inputs, outputs)
assert np.allclose(model.predict(np.full((1, 4), 3.0), verbose=0), 0.5)
