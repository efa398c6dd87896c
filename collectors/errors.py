"""Errors of a collector: only a caller's mistake. Anything wrong with the machine is a fact, not an error."""


class CollectorError(ValueError):
    """A collector was asked for something that does not exist. The message says what, and where it was searched for."""
