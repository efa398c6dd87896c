# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np
import tensorflow as tf

tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2
)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])

GLOBAL_BATCH = 16
features = np.random.default_rng(0).normal(size=(64, 8)).astype("float32")
dataset = tf.data.Dataset.from_tensor_slices((features, features.sum(axis=1, keepdims=True))).batch(GLOBAL_BATCH)

with strategy.scope():
    model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
    optimizer = keras.optimizers.SGD(0.1)
    optimizer.build(model.trainable_variables)


# --- shown
def train_step(inputs, targets):
    with tf.GradientTape() as tape:
        losses = keras.losses.mean_squared_error(targets, model(inputs))
        loss = tf.nn.compute_average_loss(losses, global_batch_size=GLOBAL_BATCH)
    gradients = tape.gradient(loss, model.trainable_variables)
    finite = tf.math.is_finite(loss)
    gradients = [tf.where(finite, gradient, tf.zeros_like(gradient)) for gradient in gradients]
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


@tf.function
def distributed_step(inputs, targets):
    return strategy.run(train_step, args=(inputs, targets))


for inputs, targets in strategy.experimental_distribute_dataset(dataset):
    losses = distributed_step(inputs, targets)
# --- end
assert all(np.isfinite(loss) for loss in strategy.experimental_local_results(losses))
