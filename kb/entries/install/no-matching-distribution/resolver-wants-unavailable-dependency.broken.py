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

target = ["--python-version", "3.11", "--platform", "win_amd64"]
# --- shown
wanted = "tensorflow-io-gcs-filesystem==0.37.1"
# --- end
arguments = ["install", "-q", "--dry-run", "--no-deps", "-t", "libs", "--only-binary=:all:", *target, wanted]
done = subprocess.run([sys.executable, "-m", "pip", *arguments], check=True)
