# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import tensorflow as tf

keras.utils.set_random_seed(1)
tf.config.experimental.enable_op_determinism()
features = tf.random.normal((256, 16))
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(32, activation="relu"), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam()


@tf.function
def train_step(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(batch, training=True)))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
    return loss


# --- shown
start = tf.timestamp()
for _ in range(20):
    loss = train_step(features)
elapsed = float(tf.timestamp() - start)
# --- end
print(f"{elapsed:.2f} s for 20 steps, last loss {float(loss):.4f}")
