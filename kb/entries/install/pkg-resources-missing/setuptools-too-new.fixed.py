# /// script
# requires-python = "==3.12.*"
# dependencies = ["tensorboard==2.20.0", "setuptools<82"]
#
# [tool.tfhelp]
# timeout = 180
# isolated = true
# ///
import importlib.metadata

from tensorboard import program

# --- shown
setuptools = importlib.metadata.version("setuptools")
assert int(setuptools.split(".")[0]) < 82, setuptools
# --- end

board = program.TensorBoard()
board.configure(argv=["tensorboard", "--logdir", "logs", "--port", "0"])
