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
optimizer = keras.optimizers.Adam(0.1)
batch = tf.random.stateless_uniform((16, 4), seed=(1, 2))
target = tf.reduce_sum(batch, axis=1, keepdims=True)


# --- shown
def train_step():
    with tf.GradientTape() as tape:
        reward = -tf.reduce_mean(tf.square(model(batch) - target))
    gradients = tape.gradient(-reward, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return -float(reward)


# --- end
losses = [train_step() for _ in range(20)]
