# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import tensorflow as tf

layer = keras.layers.Dense(1)
layer.build((None, 2))
# --- shown
with tf.GradientTape() as tape:
    tape.watch([variable.value for variable in layer.trainable_variables])
    loss = tf.reduce_sum(layer(tf.ones((3, 2))))
# --- end
gradients = tape.gradient(loss, layer.trainable_variables)
assert [tuple(gradient.shape) for gradient in gradients] == [(2, 1), (1,)]
