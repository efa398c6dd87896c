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

features = np.random.default_rng(0).normal(size=(64, 8)).astype("float32")
labels = features.sum(axis=1, keepdims=True)


def first_error(y_true, y_pred):
    return tf.abs(y_true[0] - y_pred[0])


with strategy.scope():
    model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse", metrics=[first_error])

# --- shown
global_batch = 8 * strategy.num_replicas_in_sync  # 8 samples for each replica
model.fit(features, labels, batch_size=global_batch, epochs=1, verbose=2)
# --- end
assert model.optimizer.iterations == 4
