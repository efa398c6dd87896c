# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

layers = keras.layers


# --- shown
def branch(inputs):
    return layers.Dense(8, activation="relu", name=f"features_{inputs.name}")(inputs)


# --- end
left, right = keras.Input((4,), name="left"), keras.Input((4,), name="right")
outputs = layers.Dense(1)(layers.Concatenate()([branch(left), branch(right)]))
model = keras.Model([left, right], outputs)
assert len({layer.name for layer in model.layers}) == len(model.layers)
