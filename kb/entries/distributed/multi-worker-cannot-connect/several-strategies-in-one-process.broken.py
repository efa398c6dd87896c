# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import keras
import numpy as np
import tensorflow as tf

cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 3)
devices = ["CPU:0", "CPU:1", "CPU:2"]


def train(strategy):
    with strategy.scope():
        model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
        model.compile("sgd", "mse")
    return model.fit(np.ones((12, 4)), np.ones((12, 1)), batch_size=6, verbose=0)


# --- shown
first = tf.distribute.MirroredStrategy(devices[:2])
train(first)
second = tf.distribute.MirroredStrategy(devices)
# --- end
history = train(second)
