# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

# --- shown
device = (tf.config.list_physical_devices("GPU") or tf.config.list_physical_devices("CPU"))[0]
limit = 4096 if device.device_type == "GPU" else None  # MiB
# Do not call set_memory_growth: the limit is reserved at once.
tf.config.set_logical_device_configuration(device, [tf.config.LogicalDeviceConfiguration(memory_limit=limit)])
# --- end
assert len(tf.config.get_logical_device_configuration(device)) == 1
print(tf.config.list_logical_devices())
