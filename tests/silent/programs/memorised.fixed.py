import keras
import numpy as np

keras.utils.set_random_seed(25)
rng = np.random.default_rng(25)
x = rng.normal(size=(2000, 20)).astype("float32")
y = (x[:, 0] + rng.normal(scale=0.3, size=2000) > 0).astype("float32")
model = keras.Sequential(
    [
        keras.Input((20,)),
        keras.layers.Dense(256, activation="relu"),
        keras.layers.Dense(256, activation="relu"),
        keras.layers.Dense(1, activation="sigmoid"),
    ]
)
model.compile(keras.optimizers.Adam(0.003), "binary_crossentropy", metrics=["accuracy"])
model.fit(x[: 2000 // 2], y[: 2000 // 2], validation_data=(x[2000 // 2 :], y[2000 // 2 :]), epochs=5, verbose=2)
