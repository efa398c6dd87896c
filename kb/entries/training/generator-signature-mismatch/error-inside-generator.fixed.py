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
        if name not in labels:  # found by the loop below
            print("no label for", name)
            continue
        yield np.ones((8,), "float32"), labels[name]


for number, sample in enumerate(samples()):  # the generator alone, without TensorFlow
    assert np.shape(sample[0]) == (8,), number
# --- end
specification = (tf.TensorSpec((8,), tf.float32), tf.TensorSpec((), tf.float32))
dataset = tf.data.Dataset.from_generator(samples, output_signature=specification).batch(2)
model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
history = model.fit(dataset, verbose=0)
assert number == 3 and "loss" in history.history
