# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

sequences = np.random.default_rng(0).normal(size=(64, 20, 4)).astype("float32")
labels = np.arange(64) % 3  # one label for each sequence
# --- shown
model = keras.Sequential(
    [
        keras.Input((20, 4)),
        keras.layers.LSTM(16, return_sequences=True),
        keras.layers.LSTM(16),
        keras.layers.Dense(3, activation="softmax"),
    ]
)
# --- end
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
assert model.output_shape == (None, 3)
model.fit(sequences, labels, epochs=1)
