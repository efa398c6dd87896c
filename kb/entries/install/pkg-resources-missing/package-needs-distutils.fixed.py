# /// script
# requires-python = "==3.12.*"
# dependencies = ["packaging"]
#
# [tool.tfhelp]
# timeout = 180
# isolated = true
# ///
import importlib.metadata

# --- shown
from packaging.version import Version

installed = importlib.metadata.version("packaging")
new_enough = Version(installed) >= Version("21.0")
# --- end
assert new_enough
print(str(new_enough).lower())
