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
batch = np.ones((1, 3), "float32")
# --- shown
interpreter = tf.lite.Interpreter(model_content=content)
interpreter.allocate_tensors()
input_details = interpreter.get_input_details()[0]
output_details = interpreter.get_output_details()[0]
# --- end
interpreter.set_tensor(input_details["index"], batch)
interpreter.invoke()
result = interpreter.get_tensor(output_details["index"])
assert np.allclose(result, model.predict(batch, verbose=0), atol=1e-5)
