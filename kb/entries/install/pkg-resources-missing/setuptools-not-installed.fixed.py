# /// script
# requires-python = "==3.12.*"
# dependencies = ["packaging"]
#
# [tool.tfhelp]
# timeout = 180
# isolated = true
# ///
# --- shown
import importlib.metadata

version = importlib.metadata.version("packaging")
# --- end
assert int(version.split(".")[0]) > 20
print(version.split("."))
