# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

words = ["the", "cat", "sat", "on", "a", "mat"]
word_index = {word: number for number, word in enumerate(words, start=1)}  # 0 is left for padding
ids = np.array([[word_index[word] for word in words]] * 32)
# --- shown
embedding = keras.layers.Embedding(input_dim=max(word_index.values()) + 1, output_dim=8)
# --- end
model = keras.Sequential([keras.Input((6,)), embedding, keras.layers.GlobalAveragePooling1D(), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse", jit_compile=False)
assert ids.max() < embedding.input_dim
model.fit(ids, np.ones(32), epochs=1)
