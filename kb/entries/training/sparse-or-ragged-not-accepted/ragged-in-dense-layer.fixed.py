# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import tensorflow as tf

targets = tf.constant([[1.0], [0.0], [1.0]])
# --- shown
sentences = tf.ragged.constant([[1, 2, 3], [4, 5], [6]]).to_tensor()
model = keras.Sequential([keras.layers.Embedding(10, 4, mask_zero=True), keras.layers.LSTM(8), keras.layers.Dense(1)])
# --- end
model.compile("sgd", "mse")
history = model.fit(sentences, targets, epochs=1, verbose=0)
assert sentences.shape == (3, 3) and len(history.history["loss"]) == 1
