# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf

names = [f"photo-{number}.png" for number in range(5)]
labels = {name: 1.0 for name in names[:4]}


# --- shown
def samples():
    for name in names:
        yield np.ones((8,), "float32"), labels[name]


# --- end
specification = (tf.TensorSpec((8,), tf.float32), tf.TensorSpec((), tf.float32))
dataset = tf.data.Dataset.from_generator(samples, output_signature=specification).batch(2)
model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
history = model.fit(dataset, verbose=0)
