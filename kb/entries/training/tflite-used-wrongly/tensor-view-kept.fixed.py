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
input_index = interpreter.get_input_details()[0]["index"]
output_index = interpreter.get_output_details()[0]["index"]
samples = np.array([[[5.1, 3.5, 1.4]], [[6.2, 2.9, 4.3]], [[5.9, 3.0, 5.1]]], "float32")
results = []
# --- shown
for sample in samples:
    interpreter.set_tensor(input_index, sample)
    interpreter.invoke()
    results.append(interpreter.get_tensor(output_index))
# --- end
table = np.concatenate(results)
assert np.allclose(table, model.predict(samples[:, 0], verbose=0), atol=1e-5) and len(set(table.ravel())) == 3, table
