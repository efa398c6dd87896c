"""A pager for output longer than the screen: ``TFHELP_PAGER``, else ``PAGER``, else ``less -FRX``; ``NO_PAGER`` turns it off."""

import contextlib
import io
import os
import re
import signal
import sys
import typing

from tfhelp.service.doors.cli.page import Page, size_of

_ESCAPES = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;;[^\x1b]*\x1b\\")
_LESS = "-FRX"  # quit at once if it fits on the screen, pass colours through, leave the text on the screen


@contextlib.contextmanager
def paged(stream: typing.TextIO) -> typing.Iterator[Page]:
    """A page whose lines go through a pager if they do not fit on the terminal, else straight to the stream."""
    command = _command() if stream.isatty() and sys.stdin is not None and sys.stdin.isatty() else []
    if not command:
        yield Page(stream)
        return
    held = io.StringIO()
    try:
        yield Page(held, stream)
    finally:
        _show(held.getvalue(), command, stream)


def _show(text: str, command: list[str], stream: typing.TextIO) -> None:
    columns, rows = size_of(stream)
    tall = sum(1 + max(0, len(bare(line)) - 1) // columns for line in text.split("\n")) > rows
    if not tall or not _through(text, command, stream):
        stream.write(text)


def _through(text: str, command: list[str], stream: typing.TextIO) -> bool:
    """Show the text in a pager. Return whether that worked."""
    import subprocess

    environment = dict(os.environ)
    environment.setdefault("LESS", _LESS)
    stream.flush()
    try:
        pager = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)
    except OSError:
        return False
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C belongs to the pager while it runs
    try:
        pager.communicate(text.encode(stream.encoding or "utf-8", "replace"))
    except BrokenPipeError:
        pager.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    return True


def _command() -> list[str]:
    """The pager with its arguments; empty for none."""
    import shlex

    if os.environ.get("NO_PAGER") or os.environ.get("TERM") == "dumb":
        return []
    named = next((os.environ[name] for name in ("TFHELP_PAGER", "PAGER") if name in os.environ), None)
    try:
        words = shlex.split("less" if named is None else named)
    except ValueError:
        return []
    return [] if not words or os.path.basename(words[0]) == "cat" else words


def bare(text: str) -> str:
    """The text without the escapes of its styles and links."""
    return _ESCAPES.sub("", text)
