# /// script
# requires-python = "==3.13.*"
# dependencies = ["pip>=25"]
#
# [tool.tfhelp]
# timeout = 600
# env = { PIP_DISABLE_PIP_VERSION_CHECK = "1" }
# ///
import subprocess
import sys

# --- shown
choice = ["--only-binary", "h5py"]
# --- end
arguments = ["install", "--no-deps", "--target", "libs", *choice, "h5py==3.14.0"]
done = subprocess.run([sys.executable, "-m", "pip", *arguments], check=True)
assert done.returncode == 0
