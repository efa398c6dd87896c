import keras
import numpy as np

keras.utils.set_random_seed(20)
rng = np.random.default_rng(20)
x = rng.normal(size=(2000, 8)).astype("float32")
sick = (x[:, :2].sum(axis=1) + rng.normal(scale=1.0, size=2000) > 3.2).astype("float32")

model = keras.Sequential(
    [keras.Input((8,)), keras.layers.Dense(4, activation="relu"), keras.layers.Dense(1, activation="sigmoid")]
)
model.compile(optimizer="sgd", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(x, sick, epochs=12, verbose=2, class_weight={0: 1.0, 1: float((1 - sick.mean()) / sick.mean())})
