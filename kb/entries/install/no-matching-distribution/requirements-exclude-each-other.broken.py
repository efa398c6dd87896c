# /// script
# requires-python = "==3.13.*"
# dependencies = ["pip>=25"]
#
# [tool.tfhelp]
# timeout = 180
# env = { PIP_DISABLE_PIP_VERSION_CHECK = "1" }
# ///
import subprocess
import sys

# --- shown
wanted = ["tensorflow==2.20.0", "ml-dtypes==0.5.0"]
# --- end
arguments = ["install", "-q", "--dry-run", "--ignore-installed", "--only-binary=:all:", *wanted]
done = subprocess.run([sys.executable, "-m", "pip", *arguments], check=True)
