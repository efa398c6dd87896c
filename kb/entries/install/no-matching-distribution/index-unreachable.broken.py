# /// script
# requires-python = "==3.13.*"
# dependencies = ["pip>=25"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import subprocess
import sys

# --- shown
index = ["--index-url", "http://127.0.0.1:9/simple"]
# --- end
options = ["-q", "--disable-pip-version-check", "--retries", "1", *index]
arguments = ["install", *options, "--dry-run", "--no-deps", "--only-binary=:all:", "tensorflow"]
done = subprocess.run([sys.executable, "-m", "pip", *arguments], check=True)
