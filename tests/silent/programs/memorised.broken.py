import keras
import numpy as np

keras.utils.set_random_seed(25)
rng = np.random.default_rng(25)
x = rng.normal(size=(120, 20)).astype("float32")
y = (x[:, 0] + rng.normal(scale=1.0, size=120) > 0).astype("float32")
model = keras.Sequential(
    [
        keras.Input((20,)),
        keras.layers.Dense(256, activation="relu"),
        keras.layers.Dense(256, activation="relu"),
        keras.layers.Dense(1, activation="sigmoid"),
    ]
)
model.compile(keras.optimizers.Adam(0.003), "binary_crossentropy", metrics=["accuracy"])
model.fit(x[: 120 // 2], y[: 120 // 2], validation_data=(x[120 // 2 :], y[120 // 2 :]), epochs=40, verbose=2)
