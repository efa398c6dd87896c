# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np

# --- shown
import tensorflow as tf

# --- end

features = tf.placeholder(tf.float32, (None, 4))
weights = tf.Variable(tf.ones((4, 1)))
loss = tf.reduce_mean(tf.square(tf.matmul(features, weights)))
train_step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
losses = []

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(3):
        losses.append(session.run([loss, train_step], {features: np.ones((8, 4))})[0])

print(losses)
