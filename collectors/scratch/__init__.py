"""A scratch copy of a folder: a program runs in it and writes, and the user's own files stay as they are."""

from tfhelp.collectors.scratch.scratch import Scratch, ScratchError

__all__ = ["Scratch", "ScratchError"]
