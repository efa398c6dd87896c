# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np


# --- shown
@keras.saving.register_keras_serializable(package="my_package")
class Scale(keras.layers.Layer):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def call(self, inputs):
        return inputs * self.factor

    def get_config(self):
        return {**super().get_config(), "factor": self.factor}


# --- end
trained = keras.Sequential([keras.Input((4,)), Scale(3.0), keras.layers.Dense(1)])
trained.save("model.keras")

model = keras.models.load_model("model.keras")
predictions = model.predict(np.ones((1, 4)), verbose=0)
