"""The error that every door shows as one sentence."""


class InputError(Exception):
    """Something that the user gave cannot be used. The message names what and where; the command line exits with status 2."""
