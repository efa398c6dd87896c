# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow[and-cuda]==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# env = { TF_FORCE_GPU_ALLOW_GROWTH = "true" }
# needs = ["nvidia-smi"]
# ///
import keras
import numpy as np

random = np.random.default_rng(0)
sequences = [random.integers(1, 100, size=length) for length in random.integers(2, 12, size=256)]
labels = np.array([len(sequence) for sequence in sequences], dtype="float32")
# --- shown
tokens = keras.utils.pad_sequences(sequences)
# --- end
model = keras.Sequential([keras.layers.Embedding(100, 16, mask_zero=True), keras.layers.LSTM(16), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(tokens, labels, epochs=1, verbose=2)
