import keras
import numpy as np

keras.utils.set_random_seed(21)
rng = np.random.default_rng(21)
x = rng.normal(3.0, 2.0, size=(160, 8)).astype("float32")
y = (x[:, 0] > x[:, 1]).astype("float32")

model = keras.Sequential(
    [
        keras.Input((8,)),
        keras.layers.Dense(32),
        keras.layers.BatchNormalization(momentum=0.6),
        keras.layers.ReLU(),
        keras.layers.Dense(1, activation="sigmoid"),
    ]
)
model.compile(optimizer=keras.optimizers.Adam(0.01), loss="binary_crossentropy", metrics=["accuracy"])
model.fit(x[:96], y[:96], epochs=4, batch_size=8, validation_data=(x[96:], y[96:]), verbose=0)
print("stored")
