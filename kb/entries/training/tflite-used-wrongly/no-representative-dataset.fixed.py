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
training_features = np.random.default_rng(0).random((100, 3))
converter = tf.lite.TFLiteConverter.from_keras_model(model)


# --- shown
def representative_dataset():
    for row in training_features[:100]:
        yield [row[np.newaxis].astype("float32")]


converter.optimizations = [tf.lite.Optimize.DEFAULT]
converter.representative_dataset = representative_dataset
converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
converter.inference_input_type = tf.int8
converter.inference_output_type = tf.int8
# --- end
content = converter.convert()
assert tf.lite.Interpreter(model_content=content).get_input_details()[0]["dtype"] == np.int8
