# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import tensorflow as tf


# --- shown
def make_train_step(model, optimizer):
    @tf.function
    def train_step(batch, target):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(batch) - target))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    return train_step


batch, target = tf.ones((8, 4)), tf.ones((8, 1))
losses = []
for fold in range(2):
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    optimizer = keras.optimizers.Adam()
    train_step = make_train_step(model, optimizer)
    losses.append(float(train_step(batch, target)))
# --- end
assert len(losses) == 2
