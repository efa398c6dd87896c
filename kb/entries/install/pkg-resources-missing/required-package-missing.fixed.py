# /// script
# requires-python = "==3.8.*"
# dependencies = ["tensorflow-cpu==2.5.*", "protobuf<3.21"]
#
# [tool.tfhelp]
# timeout = 120
# ///
# --- shown
import tensorflow as tf

version = tf.__version__
# --- end
major, minor = map(int, version.split(".")[:2])
assert (major, minor) == (2, 5)
print("TensorFlow", version, "is new enough:", (major, minor) >= (2, 4))
