# /// script
# requires-python = "==3.12.*"
# dependencies = ["tensorboard==2.20.0", "setuptools>=82"]
#
# [tool.tfhelp]
# timeout = 180
# isolated = true
# ///
from tensorboard import program

board = program.TensorBoard()
board.configure(argv=["tensorboard", "--logdir", "logs", "--port", "0"])
