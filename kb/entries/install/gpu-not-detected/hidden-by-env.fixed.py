# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
# --- shown
import os

os.environ.pop("CUDA_VISIBLE_DEVICES", None)  # before TensorFlow is imported
# --- end

import tensorflow as tf

assert "CUDA_VISIBLE_DEVICES" not in os.environ
print("CUDA_VISIBLE_DEVICES =", os.environ.get("CUDA_VISIBLE_DEVICES"))
print("Num GPUs Available:", len(tf.config.list_physical_devices("GPU")))
