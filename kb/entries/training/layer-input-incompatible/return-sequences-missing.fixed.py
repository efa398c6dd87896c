# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

# --- shown
model = keras.Sequential(
    [
        keras.Input((20, 8)),
        keras.layers.LSTM(16, return_sequences=True),
        keras.layers.LSTM(8),
        keras.layers.Dense(1),
    ]
)
# --- end
print(model.output_shape)
assert model.output_shape == (None, 1)
