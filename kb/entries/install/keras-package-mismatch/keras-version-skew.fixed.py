# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "tf_keras==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
# --- shown
import tensorflow as tf
import tf_keras

assert tf.__version__.split(".")[:2] == tf_keras.__version__.split(".")[:2]
# --- end

model = tf_keras.Sequential([tf_keras.layers.Dense(1, input_shape=(4,))])
model.summary()
