# /// script
# requires-python = "==3.8.*"
# dependencies = ["tensorflow-cpu==2.5.*", "protobuf<3.21"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import pkg_resources

# --- shown
version = pkg_resources.get_distribution("tensorflow").version
# --- end
major, minor = map(int, version.split(".")[:2])
print("TensorFlow", version, "is new enough:", (major, minor) >= (2, 4))
