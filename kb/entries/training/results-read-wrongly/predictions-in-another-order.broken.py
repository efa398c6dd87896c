# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# observed = true
# exit = 0
# ///
import os

import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(0)
noise = np.random.default_rng(0)
for name, brightness in (("dark", 60), ("bright", 180)):
    os.makedirs(f"pictures/{name}")
    for number in range(200):
        picture = noise.integers(brightness, brightness + 60, size=(8, 8, 3)).astype("uint8")
        tf.io.write_file(f"pictures/{name}/{number}.png", tf.io.encode_png(picture))

model = keras.Sequential(
    [
        keras.Input((8, 8, 3)),
        keras.layers.Rescaling(1 / 127.5, offset=-1),
        keras.layers.Flatten(),
        keras.layers.Dense(1, activation="sigmoid"),
    ]
)
model.compile(keras.optimizers.Adam(0.01), "binary_crossentropy", metrics=["accuracy"])
# --- shown
train = keras.utils.image_dataset_from_directory("pictures", image_size=(8, 8), verbose=False)
test = keras.utils.image_dataset_from_directory("pictures", image_size=(8, 8), verbose=False)
# --- end
model.fit(train, epochs=5, verbose=2)
predicted = model.predict(test, verbose=0)[:, 0] > 0.5
labels = np.concatenate([y for x, y in test])
print(f"evaluate: accuracy {model.evaluate(test, verbose=0)[1]:.2f}")
print(f"counted from predict: accuracy {np.mean(predicted == labels):.2f}")
