"""A scratch copy of a folder: a program runs and writes in it, and the user's own files do not change."""

from tfhelp.collectors.scratch.scratch import Scratch, ScratchError

__all__ = ["Scratch", "ScratchError"]
