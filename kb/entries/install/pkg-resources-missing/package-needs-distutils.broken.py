# /// script
# requires-python = "==3.12.*"
# dependencies = ["packaging"]
#
# [tool.tfhelp]
# timeout = 180
# isolated = true
# ///
import importlib.metadata
from distutils.version import LooseVersion

installed = importlib.metadata.version("packaging")
# --- shown
new_enough = LooseVersion(installed) >= LooseVersion("21.0")
# --- end
print(str(new_enough).lower())
