# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential(
    [
        tf.keras.Input((None, None, 3)),
        tf.keras.layers.Conv2D(2, 3),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(1),
    ]
)
content = tf.lite.TFLiteConverter.from_keras_model(model).convert()
interpreter = tf.lite.Interpreter(model_content=content)
input_details = interpreter.get_input_details()[0]
image = np.random.default_rng(0).random((16, 16, 3)).astype("float32")
# --- shown
batch = image[np.newaxis, ...]
interpreter.resize_tensor_input(input_details["index"], batch.shape)
interpreter.allocate_tensors()
# --- end
interpreter.set_tensor(input_details["index"], batch)
interpreter.invoke()
result = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
assert np.allclose(result, model.predict(batch, verbose=0), atol=1e-4)
