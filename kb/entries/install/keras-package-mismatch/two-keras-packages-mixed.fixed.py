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
from keras.layers import Dense  # the same package as keras.Input and keras.Model

# --- end
inputs = keras.Input((4,))
model = keras.Model(inputs, Dense(1)(inputs))
model.compile("sgd", "mse")
assert len(model.trainable_variables) == 2
model.fit(tf.random.normal((32, 4), seed=1), tf.zeros((32, 1)), epochs=1, verbose=2)
