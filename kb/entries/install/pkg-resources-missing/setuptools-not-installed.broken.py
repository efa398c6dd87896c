# /// script
# requires-python = "==3.12.*"
# dependencies = ["packaging"]
#
# [tool.tfhelp]
# timeout = 180
# isolated = true
# ///
import pkg_resources

# --- shown
version = pkg_resources.get_distribution("packaging").version
# --- end
print(version.split("."))
