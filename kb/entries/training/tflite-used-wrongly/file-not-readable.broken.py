# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import pathlib

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
content = tf.lite.TFLiteConverter.from_keras_model(model).convert()
pathlib.Path("exported").mkdir(exist_ok=True)
pathlib.Path("exported/model.tflite").write_bytes(content)
# --- shown
interpreter = tf.lite.Interpreter(model_path="model.tflite")
# --- end
interpreter.allocate_tensors()
