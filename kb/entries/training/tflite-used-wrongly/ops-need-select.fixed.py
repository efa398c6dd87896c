# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf


class Shift(tf.keras.layers.Layer):
    def call(self, inputs):
        return tf.roll(inputs, 1, axis=1)


model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(4), Shift()])
# --- shown
converter = tf.lite.TFLiteConverter.from_keras_model(model)
converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS, tf.lite.OpsSet.SELECT_TF_OPS]
# --- end
content = converter.convert()
assert b"FlexRoll" in content
