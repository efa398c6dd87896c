"""What can keep a fault program from being run."""


class UnsupportedError(Exception):
    """This machine cannot run the program: an interpreter, a right or a file system is missing. The message says which."""
