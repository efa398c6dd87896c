# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# observed = true
# exit = 0
# ///
import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(0)
noise = np.random.default_rng(0)
labels = noise.integers(0, 3, size=300)
pictures = (noise.random((300, 8, 8, 1)) * 0.4 + 0.3 * labels[:, None, None, None]).astype("float32")

model = keras.Sequential([keras.Input((8, 8, 1)), keras.layers.Flatten(), keras.layers.Dense(3, activation="softmax")])
model.compile(keras.optimizers.Adam(0.05), "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(pictures, labels, epochs=20, verbose=0)
converter = tf.lite.TFLiteConverter.from_keras_model(model)
converter.optimizations = [tf.lite.Optimize.DEFAULT]
converter.representative_dataset = lambda: ([picture[None]] for picture in pictures[:100])
converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
converter.inference_input_type = converter.inference_output_type = tf.int8
interpreter = tf.lite.Interpreter(model_content=converter.convert())
interpreter.allocate_tensors()
source, result = interpreter.get_input_details()[0], interpreter.get_output_details()[0]


# --- shown
def to_input(values, details):
    return values.astype(details["dtype"])


# --- end
predicted = []
for picture in pictures:
    interpreter.set_tensor(source["index"], to_input(picture[None], source))
    interpreter.invoke()
    predicted.append(interpreter.get_tensor(result["index"])[0].argmax())
print(f"Keras: accuracy {model.evaluate(pictures, labels, verbose=0)[1]:.2f}")
print(f"TFLite: accuracy {np.mean(predicted == labels):.2f}")
