import keras
import numpy as np

keras.utils.set_random_seed(23)
rng = np.random.default_rng(23)
pictures = rng.integers(0, 256, (500, 8, 8, 1)).astype("float32")
bright = (pictures[:, :, :4].mean(axis=(1, 2, 3)) > pictures[:, :, 4:].mean(axis=(1, 2, 3))).astype("float32")


def prepare(raw):
    return raw / 255.0 - 0.5


model = keras.Sequential(
    [
        keras.Input((8, 8, 1)),
        keras.layers.Flatten(),
        keras.layers.Dense(16, activation="relu"),
        keras.layers.Dense(1, activation="sigmoid"),
    ]
)
model.compile("adam", "binary_crossentropy")
model.fit(prepare(pictures[:400]), bright[:400], epochs=15, verbose=0)
new = prepare(pictures[400:])
answers = model.predict(new, verbose=0)
print("answered", len(answers))
