import keras
import numpy as np

keras.utils.set_random_seed(1)
rng = np.random.default_rng(1)
x = rng.normal(size=(512, 8)).astype("float32")
y = x @ rng.normal(size=(8, 1)).astype("float32")

model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1)])
model.compile(optimizer=keras.optimizers.SGD(0.01), loss="mse")
history = model.fit(x, y, epochs=6, verbose=2)
