# /// script
# requires-python = "==3.7.*"
# dependencies = ["pip==18.1"]
#
# [tool.tfhelp]
# timeout = 120
# env = { PIP_DISABLE_PIP_VERSION_CHECK = "1" }
# ///
import subprocess
import sys

done = subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "tensorflow==1.15.5"], check=True)
