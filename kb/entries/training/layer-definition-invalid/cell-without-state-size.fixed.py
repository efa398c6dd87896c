# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras


# --- shown
class SimpleCell(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.state_size = units

    def build(self, input_shape):
        self.kernel = self.add_weight(shape=(input_shape[-1] + self.units, self.units), name="kernel")

    def call(self, inputs, states):
        joined = keras.ops.concatenate([inputs, states[0]], axis=-1)
        output = keras.ops.tanh(keras.ops.matmul(joined, self.kernel))
        return output, [output]


# --- end
sequences = keras.Input((5, 3))
features = keras.layers.RNN(SimpleCell(4))(sequences)
model = keras.Model(sequences, keras.layers.Dense(1)(features))
assert features.shape == (None, 4)
