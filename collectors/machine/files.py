"""Reading of small files of the system that may not be there, or may hold anything."""

import os

_MOST_DIGITS = 18  # of a number of bytes; Python refuses to read thousands of digits


def read_file(path: str, limit: int = 1 << 20) -> str:
    """A text file's first ``limit`` bytes; the empty string where it cannot be read. Files of /proc have no size."""
    parts = []
    try:
        with open(path, "rb", buffering=0, opener=_without_waiting) as file:
            while limit > 0 and (part := file.read(min(limit, 65536))):
                parts.append(part)
                limit -= len(part)
    except (OSError, ValueError):  # a name with a zero byte is none
        return ""
    return b"".join(parts).decode("utf-8", "replace")


def _without_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe that somebody put in its place must not be waited for."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def whole_number(text: str) -> int | None:
    """A number as the system writes it, ``None`` for anything else.

    >>> whole_number("4096"), whole_number("max"), whole_number("\u00b2"), whole_number("9" * 5000)
    (4096, None, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else None


def names_in(folder: str) -> list[str]:
    """What stands in a folder, sorted; nothing where it cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
