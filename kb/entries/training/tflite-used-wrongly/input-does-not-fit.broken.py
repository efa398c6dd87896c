# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
content = tf.lite.TFLiteConverter.from_keras_model(model).convert()
interpreter = tf.lite.Interpreter(model_content=content)
interpreter.allocate_tensors()
values = [[5.1, 3.5, 1.4]]
# --- shown
input_details = interpreter.get_input_details()[0]
batch = np.array(values)
interpreter.set_tensor(input_details["index"], batch)
# --- end
interpreter.invoke()
result = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
