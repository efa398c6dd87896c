import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(8)
rng = np.random.default_rng(8)
first = rng.normal(size=(320, 6)).astype("float32")
second = first + rng.normal(scale=0.5, size=first.shape).astype("float32")
second[::40] = first[::40]  # some pairs are twins
same = (np.arange(320) % 2).astype("float32")[:, None]

encoder = keras.Sequential([keras.Input((6,)), keras.layers.Dense(12, activation="tanh"), keras.layers.Dense(4)])
optimizer = keras.optimizers.Adam(0.01)
data = tf.data.Dataset.from_tensor_slices((first, second, same)).batch(32)
for epoch in range(3):
    for a, b, label in data:
        with tf.GradientTape() as tape:
            squares = tf.reduce_sum((encoder(a) - encoder(b)) ** 2, axis=1, keepdims=True)
            distance = tf.sqrt(squares)
            loss = tf.reduce_mean(label * squares + (1 - label) * tf.maximum(1.0 - distance, 0.0) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, encoder.trainable_variables), encoder.trainable_variables))
print("trained the encoder")
