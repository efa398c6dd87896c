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
pin = "tensorflow-estimator==2.15.0 --hash=sha256:aedf21eec7fb2dc91150fc91a1ce12bc44dbb72278a08b58e79ff87c9e28f153"
# --- end
pathlib.Path("requirements.txt").write_text(pin)
options = ["-q", "--disable-pip-version-check", "--no-cache-dir", "--no-deps", "-t", "packages"]
arguments = ["install", *options, "-r", "requirements.txt"]
done = subprocess.run([sys.executable, "-m", "pip", *arguments], check=True)

assert pathlib.Path("packages/tensorflow_estimator").is_dir()
