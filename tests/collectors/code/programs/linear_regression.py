"""By hand, with variables and a tape."""

import numpy as np
import tensorflow as tf

true_weights = np.array([[2.0], [-3.4]], dtype="float32")
features = np.random.normal(size=(1000, 2)).astype("float32")
labels = features @ true_weights + 4.2
w = tf.Variable(tf.random.normal((2, 1), stddev=0.01))
b = tf.Variable(tf.zeros(1))
history = []
for epoch in range(3):
    for start in range(0, 1000, 10):
        x = tf.constant(features[start : start + 10])
        y = tf.constant(labels[start : start + 10], dtype=tf.float32)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y))
        dw, db = tape.gradient(loss, [w, b])
        w.assign_sub(0.03 * dw)
        b.assign_sub(0.03 * db)
    history.append(loss.numpy())
    print(f"epoch {epoch + 1}, loss {loss:f}")
