# /// script
# requires-python = ">=3.10"
# dependencies = []
#
# [tool.tfhelp]
# timeout = 180
# needs = ["/usr/lib/python3.11/EXTERNALLY-MANAGED", "/usr/bin/python3.11"]
# env = { PIP_DISABLE_PIP_VERSION_CHECK = "1" }
# ///
import subprocess

python = "/usr/bin/python3.11"
done = subprocess.run([python, "-m", "pip", "install", "--no-deps", "keras"], check=True)
