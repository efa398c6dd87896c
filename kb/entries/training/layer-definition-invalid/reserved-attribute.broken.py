# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras


# --- shown
class Stack(keras.Model):
    def __init__(self):
        super().__init__()
        self.layers = [keras.layers.Dense(4) for _ in range(3)]

    def call(self, inputs):
        for layer in self.layers:
            inputs = layer(inputs)
        return inputs


# --- end
model = Stack()
model(keras.ops.ones((1, 4)))
