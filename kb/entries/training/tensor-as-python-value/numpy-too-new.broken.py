# /// script
# requires-python = "==3.8.*"
# dependencies = ["tensorflow-cpu==2.2.*", "numpy==1.21.*", "protobuf==3.20.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Input((None, 4))])
model.add(tf.keras.layers.LSTM(8))
model.summary()
