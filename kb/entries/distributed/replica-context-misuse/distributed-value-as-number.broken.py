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
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
dataset = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0, 4.0]).batch(4)


def train_step(batch):
    return tf.reduce_sum(batch) / 4.0


@tf.function
def distributed_step(batch):
    # --- shown
    return strategy.run(train_step, args=(batch,))
    # --- end


for batch in strategy.experimental_distribute_dataset(dataset):
    loss = float(distributed_step(batch))
