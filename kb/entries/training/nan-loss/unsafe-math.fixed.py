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

tf.debugging.enable_check_numerics()
keras.utils.set_random_seed(0)
features = np.random.default_rng(0).normal(size=(256, 16)).astype("float32")
labels = (features.sum(axis=1, keepdims=True) > 0).astype("float32")


# --- shown
def likelihood_loss(truth, predicted):
    positive = truth * tf.math.log(predicted + keras.config.epsilon())
    negative = (1 - truth) * tf.math.log(1 - predicted + keras.config.epsilon())
    return -tf.reduce_mean(positive + negative)


# --- end


model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(1, activation="hard_sigmoid")])
model.compile(optimizer=keras.optimizers.Adam(0.1), loss=likelihood_loss, jit_compile=False)
history = model.fit(features, labels, epochs=20, verbose=2)
assert np.isfinite(history.history["loss"]).all()
