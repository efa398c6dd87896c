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
validation, training = dataset.take(20), dataset.skip(20)
history = model.fit(training.batch(10), validation_data=validation.batch(10), epochs=1)
# --- end
assert "val_loss" in history.history
