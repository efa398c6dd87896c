"""Reasons that a fault program cannot be run."""


class UnsupportedError(Exception):
    """This machine cannot run the program: an interpreter, a permission or a file system is missing. The message says which."""
