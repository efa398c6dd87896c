import keras
import numpy as np

keras.utils.set_random_seed(18)
rng = np.random.default_rng(18)
income = rng.uniform(20_000, 90_000, 700)
age = rng.uniform(18, 80, 700)
stamp = rng.uniform(1.5e9, 1.7e9, 700)
x = np.stack([income, age, stamp], axis=1).astype("float32")
y = (income / 1000 + age > 104).astype("float32")
x = (x - x.mean(axis=0)) / x.std(axis=0)
model = keras.Sequential(
    [keras.Input((3,)), keras.layers.Dense(16, activation="sigmoid"), keras.layers.Dense(1, activation="sigmoid")]
)
model.compile(optimizer=keras.optimizers.Adam(0.01), loss="binary_crossentropy", metrics=["accuracy"])
model.fit(x, y, epochs=15, verbose=2)
