# /// script
# requires-python = "==3.12.*"
# dependencies = ["packaging", "setuptools==65.5.1"]
#
# [tool.tfhelp]
# timeout = 180
# isolated = true
# ///
import pkg_resources

# --- shown
version = pkg_resources.get_distribution("setuptools").version
print("setuptools", version, "in", pkg_resources.__file__)
# --- end
