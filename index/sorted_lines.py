"""Look up a name in a mapped file of sorted lines, ``<name> <what is known of it>``; a cold start parses only one line."""

from __future__ import annotations

import typing


def packed(rows: dict[str, str]) -> bytes:
    """The lines of names and what is known of them, in the form that ``find`` reads. A name contains no space and no line end."""
    lines = sorted((name.encode(), value.encode()) for name, value in rows.items())
    return b"".join(b"%s %s\n" % line for line in lines)


def find(content: typing.Any, start: int, end: int, name: str) -> bytes | None:
    """The rest of a name's line, found by bisection.

    Args:
        content: bytes, or a map of a file.
        start: where the first line begins.
        end: the end of the last line.
        name: what to look for.

    Returns:
        The line without the name; ``None`` if there is no such line.
    """
    wanted = name.encode("utf-8", "surrogatepass")
    low, high = start, end
    while low < high:
        begin = content.rfind(b"\n", low, (low + high) // 2) + 1 or low
        stop = content.find(b"\n", begin)
        found, _, value = content[begin:stop].partition(b" ")
        if found == wanted:
            return bytes(value)
        if found < wanted:
            low = stop + 1
        else:
            high = begin
    return None
