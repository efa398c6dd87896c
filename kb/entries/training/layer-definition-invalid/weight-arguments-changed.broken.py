# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras


class Scale(keras.layers.Layer):
    # --- shown
    def build(self, input_shape):
        self.factor = self.add_weight("factor", shape=(input_shape[-1],), initializer="ones")

    # --- end
    def call(self, inputs):
        return inputs * self.factor


model = keras.Sequential([keras.Input((4,)), Scale()])
