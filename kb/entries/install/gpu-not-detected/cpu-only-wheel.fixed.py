# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
# --- shown
import importlib.metadata

import tensorflow as tf

for name in set(importlib.metadata.packages_distributions()["tensorflow"]):
    print(name, importlib.metadata.version(name))
print("built with CUDA:", tf.test.is_built_with_cuda())  # False: this package cannot use a GPU
print("Num GPUs Available:", len(tf.config.list_physical_devices("GPU")))
# --- end
assert tf.test.is_built_with_cuda()
print("CUDA", tf.sysconfig.get_build_info()["cuda_version"])
