"""The version of the package. setup.py reads it from here."""

VERSION = "0.1.0"


def how_to_install(extra: str) -> str:
    """The command that installs the wheel with an extra. The name alone would fetch whatever an index calls tfhelp."""
    return f"pip install './tfhelp-{VERSION}-py3-none-any.whl[{extra}]'"
