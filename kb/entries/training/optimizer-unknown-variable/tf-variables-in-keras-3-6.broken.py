# /// script
# requires-python = "==3.11.*"
# dependencies = ["tensorflow-cpu==2.18.*", "keras==3.6.0"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import keras
import tensorflow as tf

layer = keras.layers.Dense(1)
scale = tf.Variable(2.0)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(layer(tf.ones((3, 2))) * scale)
variables = layer.trainable_variables + [scale]
optimizer = keras.optimizers.Adam()
optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
