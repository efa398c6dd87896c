# /// script
# requires-python = "==3.13.*"
# dependencies = ["pip>=25"]
#
# [tool.tfhelp]
# timeout = 180
# env = { PIP_DISABLE_PIP_VERSION_CHECK = "1" }
#
# [tool.tfhelp.files]
# "tensorflow-2.12.0-cp38-cp38-manylinux_2_17_x86_64.manylinux2014_x86_64.whl" = "downloaded by hand"
# ///
import subprocess
import sys

# --- shown
wanted = "tensorflow"
# --- end
arguments = ["install", "-q", "--dry-run", "--no-deps", "--only-binary=:all:", wanted]
done = subprocess.run([sys.executable, "-m", "pip", *arguments], check=True)
assert done.returncode == 0
