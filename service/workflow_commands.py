"""GitHub's workflow commands, which it shows as annotations next to the lines of a change.

Source: https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands and, for what is escaped, the
``@actions/core`` toolkit (``escapeData`` and ``escapeProperty``).
"""

import os

MOST = 10
"""GitHub shows ten annotations of a kind for each step, and silently drops the rest."""

COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
"""Severity -> command."""


def annotation(severity: str, message: str, **properties: str) -> str:
    """One command on one line.

    Args:
        severity: error, warning or note.
        message: it may have several lines.
        properties: ``file``, ``line``, ``title`` and so on, in the order in which they are written.

    >>> annotation("note", "50%\\nof it", file="a:b.py", line="2")
    '::notice file=a%3Ab.py,line=2::50%25%0Aof it'
    """
    said = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{COMMANDS[severity]}{' ' if said else ''}{said}::{_data(message)}"


def workspace() -> str:
    """The folder of the checkout: ``GITHUB_WORKSPACE``, else the current one."""
    return os.environ.get("GITHUB_WORKSPACE") or os.getcwd()


def from_workspace(path: str) -> str:
    """The path relative to the workspace; unchanged if it is outside."""
    relative = os.path.relpath(os.path.realpath(path), os.path.realpath(workspace()))
    return (path if relative.startswith("..") else relative).replace(os.sep, "/")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
