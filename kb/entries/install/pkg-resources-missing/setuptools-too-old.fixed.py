# /// script
# requires-python = "==3.12.*"
# dependencies = ["packaging", "setuptools==80.9.0"]
#
# [tool.tfhelp]
# timeout = 180
# isolated = true
# ///
# --- shown
import pkg_resources

version = pkg_resources.get_distribution("setuptools").version
print("setuptools", version, "in", pkg_resources.__file__)
# --- end
assert tuple(map(int, version.split(".")[:2])) >= (66, 1)
