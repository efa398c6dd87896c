# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
# --- shown
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
# --- end

import tensorflow as tf

print("CUDA_VISIBLE_DEVICES =", os.environ.get("CUDA_VISIBLE_DEVICES"))
print("Num GPUs Available:", len(tf.config.list_physical_devices("GPU")))
