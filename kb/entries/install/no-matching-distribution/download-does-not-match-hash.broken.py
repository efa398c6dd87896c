# /// script
# requires-python = "==3.13.*"
# dependencies = ["pip>=25"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import pathlib
import subprocess
import sys

# --- shown
pin = "tensorflow-estimator==2.15.0 --hash=sha256:8b1fc2f5c0bc0f5cf1a4bd3a7e0a9f1ea5d21d5b9b0c2e4a6bd3c7a4d1f0e9c7"
# --- end
pathlib.Path("requirements.txt").write_text(pin)
options = ["-q", "--disable-pip-version-check", "--no-cache-dir", "--no-deps", "-t", "packages"]
arguments = ["install", *options, "-r", "requirements.txt"]
done = subprocess.run([sys.executable, "-m", "pip", *arguments], check=True)
