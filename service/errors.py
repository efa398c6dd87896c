"""The error that every door shows as one sentence."""


class InputError(Exception):
    """Something that the user gave cannot be used. The message says what is wrong and where; the command line exits with status
    2.
    """
