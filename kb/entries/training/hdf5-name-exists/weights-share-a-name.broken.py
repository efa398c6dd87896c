# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras


class Gate(keras.layers.Layer):
    def build(self, shape):
        # --- shown
        self.scale = self.add_weight(shape=(shape[-1],), name="weight")
        self.shift = self.add_weight(shape=(shape[-1],), name="weight")

    # --- end
    def call(self, inputs):
        return inputs * self.scale + self.shift


model = keras.Sequential([keras.Input((3,)), Gate()])
model.save("gate.h5")
