# /// script
# requires-python = "==3.8.*"
# dependencies = ["tensorflow-cpu==2.9.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import tensorflow as tf

cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
losses = strategy.run(lambda: tf.constant(1.5))
print("loss", float(strategy.reduce("SUM", losses, axis=None)))
