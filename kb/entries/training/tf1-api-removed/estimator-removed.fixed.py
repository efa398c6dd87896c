# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import tensorflow as tf


def input_fn():
    features = tf.random.stateless_normal((256, 1), seed=(1, 2))
    return tf.data.Dataset.from_tensor_slices(({"x": features}, 3 * features)).batch(32).repeat(20)


# --- shown
inputs = {"x": keras.Input((1,), name="x")}
model = keras.Model(inputs, keras.layers.Dense(1)(inputs["x"]))
model.compile(optimizer=keras.optimizers.Adam(0.1), loss="mse")
model.fit(input_fn(), verbose=0)
scores = model.evaluate(input_fn(), verbose=0)
# --- end
assert scores < 0.01
print(scores)
