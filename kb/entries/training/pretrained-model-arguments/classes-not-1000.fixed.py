# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

# --- shown
base = keras.applications.MobileNetV2(
    weights=None,  # your program: weights="imagenet"
    include_top=False,
    pooling="avg",
    input_shape=(224, 224, 3),
)
model = keras.Sequential([base, keras.layers.Dense(5, activation="softmax")])
# --- end
model.summary()
assert model.output_shape == (None, 5)
