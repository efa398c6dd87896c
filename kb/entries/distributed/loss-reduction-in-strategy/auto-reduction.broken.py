# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "tf_keras==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# env = {TF_USE_LEGACY_KERAS = "1"}
# ///
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
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(8,))])
    optimizer = tf.keras.optimizers.SGD(0.05)
    loss_object = tf.keras.losses.MeanSquaredError()


def train_step(inputs, targets):
    with tf.GradientTape() as tape:
        loss = loss_object(targets, model(inputs))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


@tf.function
def distributed_step(inputs, targets):
    losses = strategy.run(train_step, args=(inputs, targets))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)


for inputs, targets in strategy.experimental_distribute_dataset(dataset):
    loss = distributed_step(inputs, targets)
