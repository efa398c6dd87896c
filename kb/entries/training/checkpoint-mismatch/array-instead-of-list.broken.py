# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

vectors = np.random.default_rng(0).random((50, 8)).astype("float32")
embedding = keras.layers.Embedding(50, 8)
model = keras.Sequential([keras.Input((6,)), embedding, keras.layers.GlobalAveragePooling1D(), keras.layers.Dense(1)])
# --- shown
embedding.set_weights(vectors)
# --- end
predictions = model.predict(np.zeros((2, 6)), verbose=0)
