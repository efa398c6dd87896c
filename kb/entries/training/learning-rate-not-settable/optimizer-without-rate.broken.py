# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "tf_keras==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# env = {TF_USE_LEGACY_KERAS = "1"}
# ///
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
# --- shown
model.compile(optimizer=tf.compat.v1.train.AdamOptimizer(0.01), loss="mse")
# --- end
callback = tf.keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.5)
model.fit(np.ones((8, 4)), np.ones((8, 1)), epochs=2, callbacks=[callback], verbose=0)
