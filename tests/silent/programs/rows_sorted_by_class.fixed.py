import keras
import numpy as np

keras.utils.set_random_seed(15)
rng = np.random.default_rng(15)
x = np.concatenate([rng.normal(loc=center, size=(300, 5)) for center in (-1.0, 0.0, 1.0)]).astype("float32")
y = np.repeat([0, 1, 2], 300)
order = rng.permutation(len(x))
x, y = x[order], y[order]
model = keras.Sequential(
    [keras.Input((5,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(3, activation="softmax")]
)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
history = model.fit(x, y, validation_split=0.3, epochs=10, verbose=0)
print(len(history.history["loss"]), "epochs")
