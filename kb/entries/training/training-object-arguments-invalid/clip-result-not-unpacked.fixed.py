# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import tensorflow as tf

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam()
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(tf.ones((8, 4))) - 1.0) ** 2)
gradients = tape.gradient(loss, model.trainable_variables)
# --- shown
gradients, global_norm = tf.clip_by_global_norm(gradients, 1.0)
# --- end
optimizer.apply_gradients(zip(gradients, model.trainable_variables))
assert int(optimizer.iterations) == 1 and float(global_norm) > 0
