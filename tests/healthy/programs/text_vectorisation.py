# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
"""Text through a vocabulary into an embedding."""

import keras
import numpy as np
import tensorflow as tf

sentences = ["the run was killed by rain", "no error in this harvest", "memory of an old house", "the bus was aborted"] * 8
labels = np.array([0, 1, 1, 0] * 8)
vectorise = keras.layers.TextVectorization(max_tokens=50, output_sequence_length=6)
vectorise.adapt(sentences)
print("vocabulary:", vectorise.get_vocabulary()[:8])
data = tf.data.Dataset.from_tensor_slices((sentences, labels)).batch(8).map(lambda text, label: (vectorise(text), label))
model = keras.Sequential(
    [
        keras.Input((6,), dtype="int64"),
        keras.layers.Embedding(50, 8),
        keras.layers.GlobalAveragePooling1D(),
        keras.layers.Dense(1, activation="sigmoid"),
    ]
)
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(data, epochs=2, verbose=2)
