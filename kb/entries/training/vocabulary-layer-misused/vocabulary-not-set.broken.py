# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import tensorflow as tf

texts = tf.constant(["a good film", "a bad film"])
# --- shown
vectorize = keras.layers.TextVectorization(max_tokens=1000, output_mode="tf_idf")
features = vectorize(texts)
# --- end
