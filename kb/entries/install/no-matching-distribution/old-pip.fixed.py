# /// script
# requires-python = "==3.7.*"
# dependencies = ["pip==24.0"]
#
# [tool.tfhelp]
# timeout = 120
# env = { PIP_DISABLE_PIP_VERSION_CHECK = "1" }
# ///
import subprocess
import sys

# --- shown
import pip

assert int(pip.__version__.split(".")[0]) > 20, pip.__version__
# --- end
done = subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "tensorflow==1.15.5"], check=True)
