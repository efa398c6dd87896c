import keras
import numpy as np

keras.utils.set_random_seed(11)
rng = np.random.default_rng(11)
x = rng.normal(size=(800, 6)).astype("float32")
y = (x[:, 0] * x[:, 1] > 0).astype("float32")

model = keras.Sequential()
model.add(keras.Input((6,)))
model.add(keras.layers.Dense(32, activation="relu"))
model.add(keras.layers.Dense(1, activation="softmax"))
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(x, y, epochs=12, verbose=2)
