"""What a collector refuses: only what the caller got wrong. What is wrong with the machine is a fact, not an error."""


class CollectorError(ValueError):
    """A collector was asked for something that is not there. The message names what, and where it was looked for."""
