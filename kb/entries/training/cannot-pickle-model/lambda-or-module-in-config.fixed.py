# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np
import tensorflow as tf


@keras.saving.register_keras_serializable("mine")
class Centre(keras.layers.Layer):
    def __init__(self, mean, **options):
        super().__init__(**options)
        self.mean = tf.constant(mean)

    def call(self, inputs):
        return inputs - self.mean

    # --- shown
    def get_config(self):
        return {**super().get_config(), "mean": [float(value) for value in self.mean]}

    # --- end


model = keras.Sequential([keras.Input((2,)), Centre([1.0, 3.0])])
model.save("model.keras")
assert np.allclose(keras.models.load_model("model.keras").predict(np.ones((1, 2))), [[0.0, -2.0]])
model.predict(np.ones((1, 2)))
