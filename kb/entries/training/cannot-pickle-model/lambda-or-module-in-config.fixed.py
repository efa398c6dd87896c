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
class Noise(keras.layers.Layer):
    def __init__(self, seed=0, generator=None, **options):
        super().__init__(**options)
        self.seed = seed
        self.generator = generator or tf.random.Generator.from_seed(seed)

    def call(self, inputs, training=False):
        return inputs + self.generator.normal(tf.shape(inputs)) if training else inputs

    # --- shown
    def get_config(self):
        return {**super().get_config(), "seed": self.seed}

    # --- end


model = keras.Sequential([keras.Input((2,)), Noise(seed=7)])
model.save("model.keras")
assert keras.models.load_model("model.keras").layers[0].seed == 7
model.predict(np.ones((1, 2)))
