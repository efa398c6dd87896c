# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "tf_keras==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tf_keras as keras

x = np.random.default_rng(0).random((32, 4), dtype="float32")
model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
# --- shown
optimizer = keras.optimizers.Adam(learning_rate=1e-5)
print("learning rate:", float(optimizer.learning_rate))
# --- end
assert abs(float(optimizer.learning_rate) - 1e-5) < 1e-9
model.compile(optimizer=optimizer, loss="mse")
model.fit(x, x.sum(axis=1, keepdims=True), verbose=2)
