# /// script
# requires-python = "==3.13.*"
# dependencies = ["pip>=25"]
#
# [tool.tfhelp]
# timeout = 300
# env = { PIP_DISABLE_PIP_VERSION_CHECK = "1" }
# ///
import subprocess
import sys

# --- shown
wanted = "numpy==1.19.5"
# --- end
arguments = ["install", "--no-deps", "--target", "libs", wanted]
done = subprocess.run([sys.executable, "-m", "pip", *arguments], check=True)
