# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 75
# exit = "hangs"
# observed = true
# ///
import keras
import numpy as np
import tensorflow as tf

features = np.random.default_rng(0).normal(size=(512, 8)).astype("float32")
dataset = tf.data.Dataset.from_tensor_slices((features, features.sum(axis=1, keepdims=True))).batch(32)
train, test = dataset.take(12), dataset.skip(12)
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
# --- shown
validation = test.repeat()
# --- end
history = model.fit(train, validation_data=validation, epochs=2)
