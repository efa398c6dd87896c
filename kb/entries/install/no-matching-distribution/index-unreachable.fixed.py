# /// script
# requires-python = "==3.13.*"
# dependencies = ["pip>=25"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import subprocess
import sys

# --- shown
index = []  # the index that pip is configured with
# --- end
options = ["-q", "--disable-pip-version-check", "--retries", "1", *index]
arguments = ["install", *options, "--dry-run", "--no-deps", "--only-binary=:all:", "tensorflow"]
done = subprocess.run([sys.executable, "-m", "pip", *arguments], check=True)

assert done.returncode == 0
