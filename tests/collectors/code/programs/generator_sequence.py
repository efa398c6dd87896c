"""A Sequence that reads files, with workers of Keras' own kind of thread."""

import math

import cv2
import keras
import numpy as np


class Pictures(keras.utils.Sequence):
    def __init__(self, paths, labels, batch_size, **kwargs):
        super().__init__(**kwargs)
        self.paths, self.labels, self.batch_size = paths, labels, batch_size

    def __len__(self):
        return math.ceil(len(self.paths) / self.batch_size)

    def __getitem__(self, index):
        chosen = slice(index * self.batch_size, (index + 1) * self.batch_size)
        pictures = np.stack([cv2.resize(cv2.imread(path), (64, 64)) for path in self.paths[chosen]])
        return pictures.astype("float32") / 255.0, np.array(self.labels[chosen])


paths = [f"picture-{number}.png" for number in range(100)]
data = Pictures(paths, [number % 3 for number in range(100)], 16, workers=4)
model = keras.Sequential(
    [
        keras.Input((64, 64, 3)),
        keras.layers.Conv2D(8, 3),
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(3, activation="softmax"),
    ]
)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(data, epochs=2)
