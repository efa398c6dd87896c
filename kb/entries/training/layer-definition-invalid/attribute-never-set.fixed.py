# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras


# --- shown
class Scale(keras.layers.Layer):
    def build(self, input_shape):
        self.factor = self.add_weight(shape=(input_shape[-1],), initializer="ones")

    def call(self, inputs):
        return inputs * self.factor


# --- end
model = keras.Sequential([keras.Input((4,)), Scale()])
assert len(model.weights) == 1
