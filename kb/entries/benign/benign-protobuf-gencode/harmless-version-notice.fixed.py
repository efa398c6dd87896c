# /// script
# requires-python = "==3.11.*"
# dependencies = ["tensorflow-cpu==2.20.*", "protobuf==6.31.1"]
#
# [tool.tfhelp]
# timeout = 180
# exit = 0
# ///
# --- shown
import warnings

warnings.filterwarnings("ignore", message="Protobuf gencode version", category=UserWarning)

import tensorflow as tf
# --- end

example = tf.train.Example()
example.features.feature["label"].int64_list.value.append(3)
assert tf.train.Example.FromString(example.SerializeToString()) == example
print("label", example.features.feature["label"].int64_list.value[0], "in", example.SerializeToString())
