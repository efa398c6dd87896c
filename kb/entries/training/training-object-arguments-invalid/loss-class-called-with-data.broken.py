# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import tensorflow as tf

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, activation="sigmoid")])
optimizer = keras.optimizers.Adam()
inputs, labels = tf.ones((8, 4)), tf.ones((8, 1))
# --- shown
with tf.GradientTape() as tape:
    loss = keras.losses.BinaryCrossentropy(labels, model(inputs))
# --- end
gradients = tape.gradient(loss, model.trainable_variables)
optimizer.apply_gradients(zip(gradients, model.trainable_variables))
