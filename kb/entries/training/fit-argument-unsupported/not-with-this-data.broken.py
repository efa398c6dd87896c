# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np
import tensorflow as tf

features, targets = np.zeros((100, 4), "float32"), np.zeros((100, 1))
dataset = tf.data.Dataset.from_tensor_slices((features, targets)).shuffle(100, seed=1, reshuffle_each_iteration=False)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
# --- shown
history = model.fit(dataset.batch(10), validation_split=0.2, epochs=1)
# --- end
