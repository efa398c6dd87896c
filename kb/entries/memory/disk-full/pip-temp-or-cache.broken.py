# /// script
# requires-python = "==3.13.*"
# dependencies = ["pip>=25"]
#
# [tool.tfhelp]
# timeout = 180
# tmpfs_mib = 8
# env = { PIP_DISABLE_PIP_VERSION_CHECK = "1" }
# ///
import os
import subprocess
import sys

# --- shown
temporary = os.getcwd()
os.makedirs(temporary, exist_ok=True)
environment = {**os.environ, "TMPDIR": temporary, "PIP_NO_CACHE_DIR": "1"}
# --- end
target = os.path.expanduser("~/libs")
arguments = ["install", "-q", "--no-deps", "--target", target, "numpy>=2.1"]
done = subprocess.run([sys.executable, "-m", "pip", *arguments], env=environment, check=True)
