import keras
import numpy as np

keras.utils.set_random_seed(16)
rng = np.random.default_rng(16)
x = rng.normal(size=(640, 8)).astype("float32")
y = (x[:, :2].sum(axis=1) > 0).astype("float32")

model = keras.Sequential(
    [
        keras.Input((8,)),
        keras.layers.Dense(16, activation="relu"),
        keras.layers.Dense(16, activation="relu"),
        keras.layers.Dense(1, activation="sigmoid"),
    ]
)
model.compile(optimizer=keras.optimizers.Adam(learning_rate=10.0), loss="binary_crossentropy", metrics=["accuracy"])
model.fit(x, y, epochs=10, batch_size=32, verbose=2)
