# /// script
# requires-python = "==3.13.*"
# dependencies = ["pip>=25"]
#
# [tool.tfhelp]
# timeout = 120
# env = { PIP_DISABLE_PIP_VERSION_CHECK = "1" }
# ///
import subprocess
import sys

# --- shown
target = ["--python-version", "3.12", "--platform", "win32"]
wanted = "tensorflow<2.18.1"
# --- end
arguments = ["install", "-q", "--dry-run", "--no-deps", "-t", "libs", "--only-binary=:all:", *target, wanted]
done = subprocess.run([sys.executable, "-m", "pip", *arguments], check=True)
