# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "tf_keras==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import tensorflow as tf

# --- shown
from tf_keras.layers import Dense  # Keras 2, but the model below is one of Keras 3

# --- end
inputs = keras.Input((4,))
model = keras.Model(inputs, Dense(1)(inputs))
model.compile("sgd", "mse")
model.fit(tf.random.normal((32, 4), seed=1), tf.zeros((32, 1)), epochs=1, verbose=2)
