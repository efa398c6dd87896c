"""What a person hands to a command: text from an argument, a file or standard input, and a facts file."""

import io
import json
import sys
import time
import typing

from tfhelp.collectors.reading.byte_stream import decoded
from tfhelp.service.diagnosis.long_text import LONG, Stream
from tfhelp.service.errors import InputError

_UPDATES_AFTER = 2.0  # seconds


def open_text(argument: str | None, path: str | None) -> str | Stream:
    """The text, from the argument, else the file (``-`` is standard input), else standard input when it is piped.

    Returns:
        The text, or, where it is long, a stream of it: it may be of any length.

    Raises:
        InputError: two sources at once, a file that cannot be read, or none at all on a terminal.
    """
    if argument is not None and argument != "-" and path is not None:
        raise InputError("give the text as an argument or as a file (-f), not both")
    if argument is not None and argument != "-":
        return argument
    if path is not None and path != "-":
        try:
            return _opened(open(path, "rb", buffering=0), path)
        except OSError as error:
            raise _unreadable(path, error) from None
    if argument is None and path is None and (sys.stdin is None or sys.stdin.isatty()):
        raise InputError("no text: give it as an argument, with -f FILE, or pipe it in (python train.py 2>&1 | tfhelp ask)")
    return _opened(sys.stdin.buffer, "standard input")


def read_text(argument: str | None, path: str | None) -> str:
    """The text as ``open_text`` finds it, but all of it in memory.

    Raises:
        InputError: as ``open_text``.
    """
    found = open_text(argument, path)
    return found if isinstance(found, str) else decoded(found.start + b"".join(iter(lambda: found.read(1 << 20), b"")))


def _opened(file: typing.BinaryIO | io.RawIOBase, name: str) -> str | Stream:
    start = b""
    while len(start) < LONG and (more := file.read(LONG)):
        start += more
    if len(start) < LONG:
        return decoded(start)

    def read(size: int) -> bytes:
        try:
            return file.read(size) or b""
        except OSError as error:
            raise _unreadable(name, error) from None

    return Stream(start, read, _Progress() if sys.stderr is not None and sys.stderr.isatty() else None)


def _unreadable(path: str, error: OSError) -> InputError:
    return InputError(f"cannot read {path}: {error.strerror or error}")


class _Progress:
    """Tells on a terminal how much of a long text is read, once that takes a while."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._told = self._started + _UPDATES_AFTER - 0.5

    def __call__(self, done: int) -> None:
        """Tell of so many bytes read, at most twice a second."""
        now = time.monotonic()
        if now - self._told >= 0.5:
            self._told = now
            megabytes = done / 1e6
            sys.stderr.write(f"\rtfhelp: read {megabytes:,.0f} MB, {megabytes / (now - self._started):,.0f} MB/s\x1b[K")
            sys.stderr.flush()

    def close(self) -> None:
        """The text is read: take the line away, if there is one."""
        if self._told > self._started + _UPDATES_AFTER - 0.5:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def read_facts(path: str | None) -> dict[str, typing.Any]:
    """A facts file as JSON; an empty document without one.

    Raises:
        InputError: it cannot be read or is no JSON.
    """
    if path is None:
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except (UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{path}: not JSON: {type(error).__name__}") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}: not JSON: {error.msg}") from None
    if not isinstance(document, dict):
        raise InputError(f"{path}: expected a JSON object of facts")
    return document
