"""Read small system files that may not be there, or may hold anything."""

import os

_MOST_DIGITS = 18  # of a number of bytes; Python refuses to parse thousands of digits


def read_file(path: str, limit: int = 1 << 20) -> str:
    """A text file's first ``limit`` bytes; the empty string if it cannot be read. Files of /proc have no size."""
    parts = []
    try:
        with open(path, "rb", buffering=0, opener=_without_waiting) as file:
            while limit > 0 and (part := file.read(min(limit, 65536))):
                parts.append(part)
                limit -= len(part)
    except (OSError, ValueError):  # a name with a zero byte is not a file name
        return ""
    return b"".join(parts).decode("utf-8", "replace")


def _without_waiting(path: str, flags: int) -> int:
    """Open a file without waiting, in case somebody put a pipe in its place."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def whole_number(text: str) -> int | None:
    """A number as the system writes it, ``None`` for any other text.

    >>> whole_number("4096"), whole_number("max"), whole_number("\u00b2"), whole_number("9" * 5000)
    (4096, None, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else None


def names_in(folder: str) -> list[str]:
    """The names in a folder, sorted; nothing if it cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
