# /// script
# requires-python = ">=3.10"
# dependencies = []
#
# [tool.tfhelp]
# timeout = 120
# needs = ["zsh"]
# env = { PIP_DISABLE_PIP_VERSION_CHECK = "1" }
# ///
import subprocess

# --- shown
line = "python -m pip install -q --dry-run --no-deps tensorflow[and-cuda]"
# --- end
done = subprocess.run(["zsh", "-c", line], check=True)
