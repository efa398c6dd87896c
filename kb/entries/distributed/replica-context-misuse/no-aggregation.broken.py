# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2
)
strategy = tf.distribute.experimental.CentralStorageStrategy(["CPU:0", "CPU:1"], parameter_device="CPU:0")

with strategy.scope():
    seen = tf.Variable(0.0)


def count_step(part):
    seen.assign_add(tf.cast(tf.shape(part)[0], tf.float32))


dataset = tf.data.Dataset.range(64).batch(16)
for batch in strategy.experimental_distribute_dataset(dataset):
    strategy.run(count_step, args=(batch,))
