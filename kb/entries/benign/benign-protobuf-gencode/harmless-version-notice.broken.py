# /// script
# requires-python = "==3.11.*"
# dependencies = ["tensorflow-cpu==2.20.*", "protobuf==6.31.1"]
#
# [tool.tfhelp]
# timeout = 180
# exit = 0
# ///
import tensorflow as tf

example = tf.train.Example()
example.features.feature["label"].int64_list.value.append(3)
print("label", example.features.feature["label"].int64_list.value[0], "in", example.SerializeToString())
